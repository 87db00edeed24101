/**
 * `npm test changed`: what a change touches, for the loop of editing, by who imports it. What stands further away, and the
 * stories, it only names: `npm test` runs all.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTest, ourFiles } from './our-files.ts'
import { commandStep, type Step } from './step.ts'
import { unitTests } from './suites.ts'

/** By file: the files of ours that it imports. */
export type Imports = Map<string, string[]>

/** So many files of tests take less than a minute. */
const MOST_TEST_FILES = 25

/** @param since a commit or branch; what is not committed yet is changed as well */
export const changedSince = (since: string): string[] => {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const known = git('diff', '--name-only', '--diff-filter=d', '--relative', since, '--')
  return [...new Set([...known, ...git('ls-files', '--others', '--exclude-standard')])].sort()
}

const readImports = (): Imports =>
  new Map(ourFiles().map((path) => [path, importsIn(path, readFileSync(path, 'utf8'))]))

export const importsIn = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([#.][^']+)'/g)].map(([, to = '']) =>
    to.startsWith('#') ? to.slice(1) : join(dirname(path), to).replaceAll('\\', '/'),
  )

/** Files of tests by how many imports away they are, what changed itself and what lies beside it first. */
export const testsByDistance = (changed: readonly string[], imports: Imports): string[][] => {
  const seen = new Set(changed)
  const folders = new Set(changed.map(dirname))
  const beside = [...imports.keys()].filter((path) => isTest(path) && folders.has(dirname(path)))
  const levels: string[][] = [[...new Set([...changed.filter(isTest), ...beside])]]
  for (let reached = new Set(changed); reached.size > 0; ) {
    const next = [...imports].filter(([path, to]) => !seen.has(path) && to.some(isIn(reached)))
    reached = new Set(next.map(([path]) => path))
    for (const path of reached) seen.add(path)
    levels.push([...reached].filter(isTest).filter((path) => !levels[0]?.includes(path)))
  }
  return levels.map((paths) => paths.sort())
}

const isIn = (paths: Set<string>) => (path: string) => paths.has(path)
const isStory = (path: string): boolean => path.startsWith('e2e/')

/** The nearest ones, and how many more import what changed. The first ring that has tests is always run. */
export const chooseTests = (rings: readonly string[][]): { near: string[]; further: number } => {
  const near: string[] = []
  let further = 0
  for (const ring of rings.map((paths) => paths.filter((path) => !isStory(path))))
    if (further === 0 && (near.length === 0 || near.length + ring.length <= MOST_TEST_FILES))
      near.push(...ring)
    else further += ring.length
  return { near, further }
}

/** Stories open pages by their address, so imports do not tell: those that name the room of what changed. */
export const storiesAbout = (
  changed: readonly string[],
  stories: readonly { path: string; text: string }[],
): string[] => {
  const rooms = changed.flatMap(
    (path) => /^(?:web|server)\/features\/([^/]+)/.exec(path)?.[1] ?? [],
  )
  const words = [...new Set(rooms)].map((room) => room.replace(/(?:e?s)$/, '').replaceAll('-', ' '))
  const isAbout = ({ path, text }: { path: string; text: string }) =>
    changed.includes(path) ||
    words.some((word) =>
      [path.replaceAll('-', ' '), ...titlesIn(text)].some((each) => each.includes(word)),
    )
  return stories.filter(isAbout).map(({ path }) => path)
}

const titlesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:test|it|story)\(\s*['`]([^'`]+)/g)].map(([, title = '']) => title)

/** What a second run needs not look at again. */
const remembered = ['--incremental', '--tsBuildInfoFile', '.build/types-of-changes.json']

export const changedSteps = (since: string): Step[] => {
  const changed = changedSince(since)
  const imports = readImports()
  const { near, further } = chooseTests(testsByDistance(changed, imports))
  const stories = [...imports.keys()].filter((path) => /^e2e\/.*\.spec\.ts$/.test(path))
  const about = storiesAbout(
    changed,
    stories.map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  )
  console.log(`${changed.length} files changed since ${since}`)
  if (further > 0)
    console.log(`      further away: ${further} files of tests that npm test unit runs`)
  if (about.length > 0) console.log(`      not run here: npx playwright test ${about.join(' ')}`)
  const biome = ['check', '--error-on-warnings', '--no-errors-on-unmatched']
  return [
    commandStep('lint of it', 'node_modules/@biomejs/biome/bin/biome', ...biome, ...changed),
    commandStep('types', 'node_modules/ts7/bin/tsc', '-p', '.', ...remembered),
    ...(near.length > 0 ? [unitTests('unit tests near it', near)] : []),
  ]
}
