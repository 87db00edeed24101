/** Combines the servers' answers: one answer, several, or nothing definite. Pure. */
import type { Observation, ResourceRecord, ServerAnswer } from '#server/lib/dns/dns.ts'

export type Seen = { records: ResourceRecord[]; chain: string[]; isNxdomain: boolean }

export type Settled =
  | { kind: 'one'; seen: Seen }
  /** The name servers of the zone disagree. */
  | { kind: 'several'; groups: { seen: Seen; hosts: string[] }[] }
  | { kind: 'nothing' }

/** The zone's name servers decide; resolvers only when no name server gives a definite answer. */
export const settle = ({ authorities, resolvers }: Observation): Settled => {
  const own = authorities.filter(isDefinite)
  const groups = [...Map.groupBy(own, ({ records }) => keyOf(records))]
  if (groups.length > 1)
    return {
      kind: 'several',
      groups: groups
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, answers]) =>
          answers[0] ? [{ seen: seenBy(answers[0]), hosts: answers.map(nameOf) }] : [],
        ),
    }
  const answer = own[0] ?? resolvers.find(isDefinite)
  return answer ? { kind: 'one', seen: seenBy(answer) } : { kind: 'nothing' }
}

export const isDefinite = ({ outcome }: ServerAnswer): boolean => outcome !== 'unknown'

export const seenBy = ({ records, chain, rcode }: ServerAnswer): Seen => ({
  records,
  chain,
  isNxdomain: rcode === 'NXDOMAIN',
})

/** A key for a set of records, independent of their order and of the strings in them. */
export const keyOf = (records: ResourceRecord[]): string =>
  JSON.stringify(
    records.map(({ type, preference, data }) => [type, preference, data].join(' ')).sort(),
  )

export const nameOf = ({ host, server }: ServerAnswer): string => host || server

export const valuesIn = ({ records }: Seen): string[] => records.map(({ data }) => data)

export const listed = (words: string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
