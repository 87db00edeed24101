/** Keeps node_modules in line with package-lock.json. */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { runNpm } from './npm.js'
import { inRoot, isRelease, root } from './paths.js'
import { say } from './words.js'

const lockFile = inRoot('package-lock.json')
const marker = inRoot('node_modules', '.mailstead-installed')
/** npm's list of what it installed in node_modules, written last. */
const installedFile = inRoot('node_modules', '.package-lock.json')

export const arePackagesFresh = () => readOr(marker) === mark()

/** A folder that was copied to another platform needs other binaries. */
const mark = () =>
  `${createHash('sha256').update(readFileSync(lockFile)).digest('hex')} ${process.platform}-${process.arch}\n`

/** The caller holds the install lock. */
export const installPackages = async (node) => {
  if (readOr(marker) === '' && isInstalledByHand()) return writeMarker()
  say('Installing packages (half a minute or so, the first time) ...')
  rmSync(marker, { force: true })
  // Outside a release Vite builds the web app, so its packages are needed even with NODE_ENV=production.
  const dev = isRelease ? '--omit=dev' : '--include=dev'
  await runNpm(['ci', dev, '--include=optional'], { node, cwd: root })
  writeMarker()
}

const writeMarker = () => writeFileSync(marker, mark())

/** true after a manual `npm ci`: then nothing needs to be installed. */
const isInstalledByHand = () => {
  const installed = JSON.parse(readOr(installedFile) || '{}').packages
  if (!installed) return false
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link || (isRelease && entry.dev)) return true
    const found = installed[path]
    return found ? found.version === entry.version : isElsewhere(entry)
  })
}

/** Optional and for another platform, or needed only by such a package. */
const isElsewhere = ({ optional, os, cpu, libc }) =>
  optional === true &&
  !((os || cpu) && !libc && fits(os, process.platform) && fits(cpu, process.arch))

const fits = (list, value) => list === undefined || list.includes(value)

const readOr = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
