/**
 * Checks that docs/specification.md and the tests agree: the file named in a row shows its number, and every number in a test is
 * in the document.
 */
import { readFileSync } from 'node:fs'
import { isTest, ourFiles } from './our-files.ts'

const document = 'docs/specification.md'
/** For a placeholder in the specification: the row names the line in section 3 of the design that decides. */
const replaced = /^design 3: \S/

export type Row = { number: string; shownBy: string }
export type Shown = { number: string; path: string }

export const findSpecificationFaults = (): string[] => {
  const tests = ourFiles().filter(isTest)
  const shown = tests.flatMap((path) => numbersIn(path, readFileSync(path, 'utf8')))
  return compare(rowsOf(readFileSync(document, 'utf8')), shown)
}

export const compare = (rows: Row[], shown: Shown[]): string[] => {
  if (rows.length === 0) return [`${document} has no row`]
  const known = new Set(rows.map(({ number }) => number))
  return [
    ...rows.filter((row, at) => rows.findIndex((r) => r.number === row.number) !== at).map(twice),
    ...rows.filter((row) => !isShown(row, shown)).map(unshown),
    ...shown.filter(({ number }) => !known.has(number)).map(unknown),
  ]
}

const isShown = ({ number, shownBy }: Row, shown: Shown[]): boolean =>
  replaced.test(shownBy) ||
  shown.some((each) => each.number === number && each.path === pathOf(shownBy))

const pathOf = (shownBy: string): string =>
  /^`(.+)`$/.exec(shownBy)?.[1] ?? `e2e/specification/${shownBy}.spec.ts`

const twice = ({ number }: Row) => `${number} stands twice in ${document}`
const unshown = ({ number, shownBy }: Row) => `${number} has no test in ${pathOf(shownBy)}`
const unknown = ({ number, path }: Shown) => `${path} names ${number}, which is not in ${document}`

/** Rows of its tables: '| 2.17 | what it says | what shows it |'. */
export const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| (\d+\.\d+) \|.*\| ([^|]+?) \|$/gm)].map(
    ([, number = '', shownBy = '']) => ({ number, shownBy }),
  )

/** Numbers in brackets at the end of a test's title: test('the heading [2.11 2.12]', ...). */
export const numbersIn = (path: string, text: string): Shown[] =>
  [...text.matchAll(/\[(\d+\.\d+(?: \d+\.\d+)*)\](?=['"`])/g)].flatMap(([, numbers = '']) =>
    numbers.split(' ').map((number) => ({ number, path })),
  )
