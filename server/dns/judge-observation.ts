/** Combines the answers of all servers into one verdict. `compare` judges a single answer. */
import type { RecordState } from '#contract/domains.ts'
import type { Observation } from '#server/lib/dns/dns.ts'
import { isDefinite, keyOf, listed, nameOf, type Seen, seenBy, settle } from './seen.ts'
import { type Verdict, verdict } from './verdict.ts'
import { zoneTrouble } from './zone-trouble.ts'

export type Compare = (seen: Seen) => Verdict | Promise<Verdict>

export const judgeObservation = async (
  observation: Observation,
  compare: Compare,
): Promise<Verdict> => {
  const trouble = zoneTrouble(observation)
  if (trouble) return trouble
  const settled = settle(observation)
  if (settled.kind === 'nothing') return compare({ records: [], chain: [], isNxdomain: true })
  if (settled.kind === 'one') {
    const judged = await compare(settled.seen)
    return judged.state === 'verified'
      ? withCaches(judged, observation, settled.seen, compare)
      : judged
  }
  const groups = await Promise.all(
    settled.groups.map(async ({ seen, hosts }) => ({ hosts, judged: await compare(seen) })),
  )
  const right = groups.filter(({ judged }) => judged.state === 'verified')
  const wrong = groups.filter(({ judged }) => judged.state !== 'verified')
  // The order of the servers does not change which verdict is shown.
  const first = right[0] ?? wrong.toSorted((a, b) => rankOf(a.judged) - rankOf(b.judged))[0]
  if (!first || wrong.length === 0 || right.length === 0)
    return first?.judged ?? compare({ records: [], chain: [], isNxdomain: true })
  return spreading(
    observation.name,
    right.flatMap(({ hosts }) => hosts),
    wrong.flatMap(({ hosts }) => hosts),
    first.judged,
  )
}

const ranks: RecordState[] = ['conflict', 'different', 'waiting', 'unknown', 'verified']
const rankOf = ({ state }: Verdict): number => ranks.indexOf(state)

/** Only some name servers of the zone have the record yet: neither right nor wrong. */
const spreading = (name: string, newer: string[], older: string[], right: Verdict): Verdict => ({
  ...right,
  ...verdict(
    'waiting',
    right.found,
    `The name servers do not agree on ${name} yet: ${listed(newer)} ${newer.length > 1 ? 'have' : 'has'} the right record, ${listed(older)} still ${older.length > 1 ? 'have' : 'has'} an older one.`,
    `There is nothing to do but wait; if it stays so for more than an hour, ask the DNS provider why ${listed(older)} ${older.length > 1 ? 'lag' : 'lags'} behind.`,
  ),
})

/** A published record is verified; the explanation mentions resolvers that still cache the old value. */
const withCaches = async (
  judged: Verdict,
  { authorities, resolvers, name }: Observation,
  seen: Seen,
  compare: Compare,
): Promise<Verdict> => {
  if (!authorities.some(isDefinite) || judged.explanation !== '') return judged
  const doubtful = resolvers.filter(
    (answer) => isDefinite(answer) && keyOf(answer.records) !== keyOf(seen.records),
  )
  const stale = []
  for (const answer of doubtful)
    if ((await compare(seenBy(answer))).state !== 'verified') stale.push(answer)
  if (stale.length === 0) return judged
  const seconds = Math.max(...stale.map(({ ttlSeconds }) => ttlSeconds))
  return {
    ...judged,
    explanation: `The record at ${name} is published, but ${listed(stale.map(nameOf))} still ${stale.length > 1 ? 'have' : 'has'} an older answer in the cache, for up to ${seconds} seconds.`,
    fix: 'There is nothing to do but wait: resolvers drop old values by themselves.',
  }
}
