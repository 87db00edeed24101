/** The answer of each server with its own verdict, for the lines below a record on the page. */
import type { Sighting, Sightings } from '#contract/domains.ts'
import type { Observation, ServerAnswer } from '#server/lib/dns/dns.ts'
import type { Compare } from './judge-observation.ts'
import { isDefinite, nameOf, seenBy } from './seen.ts'
import { shownText, type Verdict } from './verdict.ts'

export type Judged = {
  verdict: Verdict
  /** null, with `observation`, when the look-ups took too long. */
  sightings: Sightings | null
  observation: Observation | null
}

const MAX_VALUES = 5

export const sightingsOf = async (
  { zone, authorities, resolvers }: Observation,
  compare: Compare,
): Promise<Sightings> => ({
  zone,
  published: await Promise.all(authorities.map((answer) => sightingOf(answer, compare))),
  visible: await Promise.all(resolvers.map((answer) => sightingOf(answer, compare))),
})

const sightingOf = async (answer: ServerAnswer, compare: Compare): Promise<Sighting> => ({
  server: nameOf(answer),
  state: isDefinite(answer) ? (await compare(seenBy(answer))).state : 'unknown',
  values: answer.records.slice(0, MAX_VALUES).map(({ data }) => shownText(data)),
  reason: answer.reason,
  latencyMs: answer.latencyMs,
  ttlSeconds: answer.ttlSeconds,
})
