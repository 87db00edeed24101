/** What became of every entry of a pasted list, also of those that were never sent. Pure. */
import type { AddedRow } from '#contract/many-domains.ts'
import { shownHost } from '#web/lib/spelling/shown-host.ts'
import type { NameRow } from './read-names.ts'

export type Entry = {
  /** As it was pasted. */
  typed: string
  /** Empty when it is none. */
  domain: string
  isAdded: boolean
  outcome: string
}

/** `answers`: in the order of the rows that were sent. */
export function entriesOf(rows: readonly NameRow[], answers: readonly AddedRow[]): Entry[] {
  const sent = rows.filter(({ kind }) => kind === 'add')
  const answerOf = new Map(sent.map((row, index) => [row, answers[index]]))
  return rows.map((row): Entry => {
    const { typed, name, kind, note } = row
    const domain = kind === 'left' || kind === 'fault' ? '' : name
    if (kind !== 'add') return { typed, domain, isAdded: false, outcome: note }
    const answer = answerOf.get(row)
    if (answer?.outcome === 'added') {
      const isAsTyped = typed.toLowerCase() === name.toLowerCase()
      return {
        typed,
        domain,
        isAdded: true,
        outcome: isAsTyped ? 'Added' : `Added as ${shownHost(name)}`,
      }
    }
    return { typed, domain, isAdded: false, outcome: answer?.message ?? 'Not added' }
  })
}

/** For a spreadsheet. Names as people write them; where one is other for programs, that stands in a column of its own. */
export const tableOf = (entries: readonly Entry[]): string[][] => {
  const isOther = entries.some(({ domain }) => shownHost(domain) !== domain)
  const cells = (ascii: string) => (isOther ? [ascii] : [])
  return [
    ['Entry', 'Domain', ...cells('ASCII domain'), 'What became of it'],
    ...entries.map(({ typed, domain, outcome }) => [
      ...[typed, shownHost(domain), ...cells(domain), outcome],
    ]),
  ]
}
