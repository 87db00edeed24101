/** One record from look-up to verdict: what every server says, what that means, and where else to look when it is wrong. */
import type { Dns, LookUpMemo, Observation } from '#server/lib/dns/dns.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { compareDkim, type KnownKey } from './compare-dkim.ts'
import { compareDmarc, dmarcAbove } from './compare-dmarc.ts'
import { compareMx } from './compare-mx.ts'
import { compareOwnership } from './compare-ownership.ts'
import { compareSpf } from './compare-spf.ts'
import type { ExpectedRecord, Senders } from './expected-records.ts'
import { type Compare, judgeObservation } from './judge-observation.ts'
import { isDkim, misplaced } from './misplaced.ts'
import { type Probe, type Probed, probesFor } from './probes.ts'
import { keyOf, type Seen, settle, valuesIn } from './seen.ts'
import { type Judged, sightingsOf } from './sightings.ts'
import { type Verdict, verdict } from './verdict.ts'

export type Asked = {
  dns: Dns
  record: ExpectedRecord
  domain: string
  senders: Senders
  mailHost: string
  memo: LookUpMemo
  /** Of the domain and of the record's algorithm, the one that signs first. */
  keys: readonly KnownKey[]
  lookUp: SpfLookUp
  /** Look further to say what is wrong. */
  isExplained: boolean
}

export const judgeRecord = async (asked: Asked): Promise<Judged> => {
  const { dns, record, memo } = asked
  const observation = await dns.observe(record.name, record.type, memo)
  const compare = remembering((seen) => compareSeen(asked, seen))
  const found = await judgeObservation(observation, compare)
  const verdict = asked.isExplained ? await explained(asked, observation, found) : found
  return { verdict, sightings: await sightingsOf(observation, compare), observation }
}

/** Servers mostly say the same. */
const remembering = (compare: Compare): Compare => {
  const known = new Map<string, Verdict | Promise<Verdict>>()
  return (seen) => {
    const key = `${seen.isNxdomain} ${seen.chain.join(' ')} ${keyOf(seen.records)}`
    const judged = known.get(key) ?? compare(seen)
    known.set(key, judged)
    return judged
  }
}

const compareSeen = (asked: Asked, seen: Seen): Verdict | Promise<Verdict> => {
  const { record, senders, mailHost, keys, lookUp } = asked
  const { name, purpose, value } = record
  const values = valuesIn(seen)
  switch (purpose) {
    case 'ownership':
      return compareOwnership(values, name, value)
    case 'spf': {
      const pieces = seen.records.map(({ strings }) => strings ?? [])
      return compareSpf(values, { name, mailHost, senders, lookUp, pieces })
    }
    case 'dkim':
      return compareDkim(values, name, keys[0]?.publicKey ?? '', keys.slice(1))
    case 'dkim-ed25519':
      return compareDkim(values, name, keys[0]?.publicKey ?? '', keys.slice(1), 'ed25519')
    case 'dmarc':
      return inherited(asked, compareDmarc(values, name))
    case 'mx':
      return compareMx(seen.records, name, mailHost)
  }
}

/** A subdomain without a policy of its own has the one of its organisation (RFC 9989 §4.10). */
const inherited = async ({ domain, lookUp, memo }: Asked, own: Verdict): Promise<Verdict> => {
  if (own.state !== 'waiting') return own
  const policy = await dmarcAbove(domain, lookUp, memo)
  if (policy === null || policy === 'failed') return own
  return {
    ...verdict(
      'verified',
      [policy.text],
      `${domain} has no DMARC policy of its own, so the one at ${policy.name} applies to it.`,
    ),
    value: policy.text,
  }
}

const explained = async (
  asked: Asked,
  observation: Observation,
  judged: Verdict,
): Promise<Verdict> => {
  const settled = settle(observation)
  const isWrong = judged.state === 'waiting' || judged.state === 'different'
  if (settled.kind !== 'one' || !isWrong) return judged
  const { record, domain, mailHost, keys } = asked
  const { zone } = observation
  const { purpose, name, type } = record
  const { seen } = settled
  const isMissing = judged.state === 'waiting'
  const selectors = keys.slice(1).map(({ selector }) => selector)
  const probes = probesFor({ purpose, name, type, domain, zone, selectors }, seen, isMissing)
  const probed = (await Promise.all(probes.map((probe) => look(asked, probe)))).flat()
  const wanted = isDkim(purpose)
    ? (keys[0]?.publicKey ?? '')
    : purpose === 'mx'
      ? mailHost
      : record.value
  const mistake = misplaced({ purpose, name, type, domain, zone, wanted, seen, probed })
  if (mistake === null) return judged
  const { state, found, explanation, fix } = mistake
  return {
    ...verdict(state, found, explanation, fix),
    ...(judged.value !== undefined && { value: judged.value }),
  }
}

/** Nothing when nobody answers. */
const look = async ({ dns, memo }: Asked, probe: Probe): Promise<Probed[]> => {
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
