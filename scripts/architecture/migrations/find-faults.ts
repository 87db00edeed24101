/** Judges what a migration takes: what the release before uses stays, and all else has a reason. */
import type { Catalog } from './catalog.ts'
import { findNarrowings, type Narrowing } from './find-narrowings.ts'

/** Shorter, it is no reason. */
const SHORTEST_REASON = 30

/** The tables that programs of the last release use, and of each its columns, with spaces between. */
export type Uses = Readonly<Record<string, string>>

export const findFaults = (
  name: string,
  { before, after }: { before: Catalog; after: Catalog },
  narrows: Readonly<Record<string, string>>,
  uses: Uses,
): string[] => {
  const found = findNarrowings(before, after, (table) => Object.hasOwn(uses, table))
  const texts = found.map(({ text }) => text)
  return [
    ...found.flatMap((narrowing) => faultOf(narrowing, narrows, uses)),
    ...Object.keys(narrows)
      .filter((text) => !texts.includes(text))
      .map((text) => `it gives a reason for what it does not do: ${text}`),
  ].map((fault) => `${name}: ${fault}`)
}

const faultOf = (
  { text, lost }: Narrowing,
  narrows: Readonly<Record<string, string>>,
  uses: Uses,
): string[] => {
  if (lost !== null && isUsed(lost, uses))
    return [`${text}, and the last release uses ${lost}. Let one release pass that does not.`]
  if ((narrows[text] ?? '').length >= SHORTEST_REASON) return []
  return [`${text}; say in \`narrows\` why programs of the last release do not break by it`]
}

/** 'users', or 'users.email'. */
const isUsed = (lost: string, uses: Uses): boolean => {
  const [table = '', column] = lost.split('.')
  const columns = uses[table]
  return columns !== undefined && (column === undefined || columns.split(' ').includes(column))
}
