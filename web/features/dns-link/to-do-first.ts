import type { DnsRecord } from '#contract/domains.ts'

type Record = Pick<DnsRecord, 'purpose' | 'isVerified'>

/** Each group in its order; what was verified `atFirst` goes to the end. */
export const toDoFirst = <Of extends Record>(
  records: readonly Of[],
  atFirst: readonly Record[],
): Of[] => {
  const done = new Set(
    atFirst.filter(({ isVerified }) => isVerified === true).map(({ purpose }) => purpose),
  )
  return records.toSorted((a, b) => Number(done.has(a.purpose)) - Number(done.has(b.purpose)))
}
