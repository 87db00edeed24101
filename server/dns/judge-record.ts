/** Checks one record: looks it up at every server, judges the answers, and searches for the mistake when it is wrong. */
import type { Dns, Observation } from '#server/lib/dns/dns.ts'
import { type Compare, judgeObservation } from './judge-observation.ts'
import { misplaced } from './misplaced.ts'
import { type Probe, type Probed, probesFor } from './probes.ts'
import type { Asked } from './record-kind.ts'
import { recordKinds } from './record-kinds.ts'
import { keyOf, settle } from './seen.ts'
import { type Judged, sightingsOf } from './sightings.ts'
import { type Verdict, verdict } from './verdict.ts'

export const judgeRecord = async (asked: Asked): Promise<Judged> => {
  const { dns, record, memo } = asked
  const observation = await dns.observe(record.name, record.type, memo)
  const compare = memoised((seen) => recordKinds[record.purpose].compare(seen, asked))
  const found = await judgeObservation(observation, compare)
  const explained = asked.isExplained ? await withMistake(asked, observation, found) : found
  const verdict = {
    ...explained,
    fix: withHost(explained.fix, record.name, observation.zone ?? asked.domain),
  }
  return { verdict, sightings: await sightingsOf(observation, compare), observation }
}

/**
 * Adds the host that a form of the zone asks for: most providers append the zone to what is typed there, and the full name
 * would be doubled.
 */
const withHost = (fix: string, name: string, zone: string): string => {
  if (fix.includes('(host ') || fix.includes('its host')) return fix
  const isInZone = name === zone || name.endsWith(`.${zone}`)
  const host = isInZone ? name.slice(0, -zone.length - 1) || '@' : name
  return fix.replace(` at ${name}`, (mention) => `${mention} (host ${host})`)
}

/** Judges each distinct answer once: most servers answer the same. */
const memoised = (compare: Compare): Compare => {
  const known = new Map<string, Verdict | Promise<Verdict>>()
  return (seen) => {
    const key = `${seen.isNxdomain} ${seen.chain.join(' ')} ${keyOf(seen.records)}`
    const judged = known.get(key) ?? compare(seen)
    known.set(key, judged)
    return judged
  }
}

const withMistake = async (
  asked: Asked,
  observation: Observation,
  judged: Verdict,
): Promise<Verdict> => {
  const settled = settle(observation)
  const isWrong = judged.state === 'waiting' || judged.state === 'different'
  if (settled.kind !== 'one' || !isWrong) return judged
  const { record, domain, keys } = asked
  const { zone } = observation
  const { purpose, name, type } = record
  const { seen } = settled
  const isMissing = judged.state === 'waiting'
  const selectors = keys.slice(1).map(({ selector }) => selector)
  const probes = probesFor({ purpose, name, type, domain, zone, selectors }, seen, isMissing)
  const probed = (await Promise.all(probes.map((probe) => lookUpProbe(asked, probe)))).flat()
  const wanted = recordKinds[purpose].wanted?.(asked) ?? record.value
  const mistake = misplaced({ purpose, name, type, domain, zone, wanted, seen, probed })
  if (mistake === null) return judged
  const { state, found, explanation, fix } = mistake
  return {
    ...verdict(state, found, explanation, fix),
    ...(judged.value !== undefined && { value: judged.value }),
  }
}

/** Empty when DNS does not answer. */
const lookUpProbe = async ({ dns, memo }: Asked, probe: Probe): Promise<Probed[]> => {
  const key = `probe ${probe.type} ${probe.name}`
  const known = memo.get(key) as ReturnType<Dns['lookUpAtSource']> | undefined
  const asking = known ?? dns.lookUpAtSource(probe.name, probe.type, memo)
  memo.set(key, asking)
  const answer = await asking
  if (answer.outcome === 'failed') return []
  const seen =
    answer.outcome === 'found'
      ? { records: answer.records, chain: answer.chain, isNxdomain: false }
      : { records: [], chain: answer.chain ?? [], isNxdomain: answer.isNxdomain }
  return [{ ...probe, seen }]
}
