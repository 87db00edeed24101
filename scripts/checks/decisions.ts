/**
 * Checks that every decision in docs/decisions is in the index under its own title, and that its number is in the code or page
 * where it binds. Also checks that the files named in our pages exist.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { ourFiles } from './our-files.ts'

const folder = 'docs/decisions'
const index = `${folder}/README.md`
/** Searched in addition to the code. */
const others = ['ARCHITECTURE.md', '.npmrc']

export type Decision = { file: string; text: string }

export const findDecisionFaults = (): string[] => {
  const files = readdirSync(folder).filter((file) => file !== 'README.md')
  const decisions = files.map((file) => ({ file, text: readFileSync(`${folder}/${file}`, 'utf8') }))
  // The planted faults of the tests name numbers that do not exist.
  const code = [...ourFiles(), ...others].filter((path) => !path.startsWith('scripts/checks/'))
  const named = code.flatMap((path) => decisionsIn(path, readFileSync(path, 'utf8')))
  const there = [...ourFiles(), ...readdirSync('.')]
  const pages = [...files.map((file) => `${folder}/${file}`), 'ARCHITECTURE.md', 'CONTRIBUTING.md']
  return [
    ...compareDecisions(decisions, readFileSync(index, 'utf8'), named),
    ...pages.flatMap((page) => missingFiles(page, readFileSync(page, 'utf8'), there)),
  ]
}

/** Finds names such as `page-template.ts`, with as many of its folders as are written. */
export const missingFiles = (page: string, text: string, files: readonly string[]): string[] =>
  [...text.matchAll(/`(\w[\w./-]*\.(?:tsx?|js))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))
    .map((name) => `${page} names ${name}, which is not there`)

export type Named = { number: string; path: string }

/** Finds 'decision 012', 'decisions 012' and 'docs/decisions/012'. */
export const decisionsIn = (path: string, text: string): Named[] =>
  [...text.matchAll(/\bdecisions?[ /](\d{3})\b/gi)].map(([, number = '']) => ({ number, path }))

export const compareDecisions = (
  decisions: Decision[],
  indexText: string,
  named: Named[],
): string[] => {
  if (decisions.length === 0) return [`${folder} has no decision`]
  const lines = indexText.split('\n')
  const known = new Set(decisions.map(({ file }) => file.slice(0, 3)))
  const links = [...indexText.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
  return [
    ...decisions.flatMap((each) => faultsOf(each, lines, named)),
    ...links
      .filter((link) => !decisions.some(({ file }) => file === link))
      .map((link) => `${index} names ${link}, which is not there`),
    ...named
      .filter(({ number }) => !known.has(number))
      .map(({ number, path }) => `${path} names decision ${number}, which is not there`),
  ]
}

const faultsOf = ({ file, text }: Decision, lines: string[], named: Named[]): string[] => {
  const number = file.slice(0, 3)
  const title = new RegExp(`^# ${number}: (.+)\n`).exec(text)?.[1]
  if (title === undefined) return [`${file} does not begin with '# ${number}: ' and its title`]
  const faults: string[] = []
  if (lines.filter((line) => line === `- [${number}](${file}) ${title}`).length !== 1)
    faults.push(`${index} needs one line '- [${number}](${file}) ${title}'`)
  if (!named.some((each) => each.number === number))
    faults.push(`decision ${number} is named neither in the code nor in ARCHITECTURE.md`)
  return faults
}
