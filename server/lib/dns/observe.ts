/** Sends one query to every name server of the zone and to every resolver at the same time. Does not judge the answers. */

import { errorWords, MAX_ALIASES, NXDOMAIN, recordsFor } from './ask-servers.ts'
import type {
  DnsAnswer,
  DnsFault,
  LookUpMemo,
  Observation,
  RecordType,
  ServerAnswer,
} from './dns.ts'
import { type DnsServerAddress, type Exchange, exchange, showServer } from './dns-exchange.ts'
import { type DnsReply, isAskable, plainName } from './dns-wire.ts'
import type { Zone } from './name-servers.ts'

export type Observer = {
  resolvers: () => DnsServerAddress[]
  /** The port of name servers. */
  port: number
  mayDial: (ip: string) => boolean
  timeoutMs: number
  findZone: (name: string, deadline: number, memo: LookUpMemo) => Promise<Zone | null>
  lookUpAtSource: (name: string, type: RecordType, memo: LookUpMemo) => Promise<DnsAnswer>
}

type Question = { name: string; type: RecordType }
type Part = 'resolver' | 'authority'

const MAX_RESOLVERS = 4
const SERVFAIL = 2
const REFUSED = 5

export const observeWith =
  (observer: Observer) =>
  async (name: string, type: RecordType, memo: LookUpMemo = new Map()): Promise<Observation> => {
    const question = { name: plainName(name), type }
    const noAnswers = { ...question, zone: null, authorities: [], resolvers: [] }
    // An invalid DNS name cannot exist.
    if (!isAskable(question.name)) return noAnswers
    const deadline = Date.now() + observer.timeoutMs
    const follow = (answer: ServerAnswer) => followOut(observer, answer, type, memo)
    const resolvers = Promise.all(
      observer
        .resolvers()
        .slice(0, MAX_RESOLVERS)
        .map(async (server) => follow(await askResolver(server, question, deadline))),
    )
    const zone = await observer.findZone(question.name, deadline, memo)
    const authorities = await Promise.all(
      (zone?.servers ?? []).map(async ({ host, ips }) => {
        const ip = ips.find(observer.mayDial)
        if (ip === undefined) return unaddressed(host)
        const server = { ip, port: observer.port }
        return follow(await askOne(server, host, question, 'authority', deadline))
      }),
    )
    return { ...noAnswers, zone: zone?.apex ?? null, authorities, resolvers: await resolvers }
  }

const askOne = async (
  server: DnsServerAddress,
  host: string,
  question: Question & { isUnchecked?: boolean },
  part: Part,
  deadline: number,
): Promise<ServerAnswer> => {
  const startedAt = performance.now()
  const asked = { ...question, isRecursive: part === 'resolver' }
  const half = Date.now() + (deadline - Date.now()) / 2
  let got = await exchange(server, asked, half)
  // The packet may be lost, and some networks allow only TCP.
  if (got.outcome === 'silent') got = await exchange(server, asked, deadline, 'tcp')
  const latencyMs = Math.round(performance.now() - startedAt)
  return { ...readExchange(got, server, question, part), host, latencyMs }
}

const askResolver = async (
  server: DnsServerAddress,
  question: Question,
  deadline: number,
): Promise<ServerAnswer> => {
  const answer = await askOne(server, '', question, 'resolver', deadline)
  if (answer.fault !== 'servfail') return answer
  // A validating resolver that answers only without validation has found wrong signatures.
  const unchecked = { ...question, isUnchecked: true }
  const uncheckedAnswer = await askOne(server, '', unchecked, 'resolver', deadline)
  if (uncheckedAnswer.outcome === 'unknown') return answer
  return {
    ...answer,
    fault: 'bogus',
    reason: `${answer.server} answered SERVFAIL because the DNSSEC signatures are wrong`,
  }
}

type Read = Omit<ServerAnswer, 'host' | 'latencyMs'>

const readExchange = (
  got: Exchange,
  server: DnsServerAddress,
  { name, type }: Question,
  part: Part,
): Read => {
  const address = showServer(server)
  if (got.outcome === 'silent') return nothing(address, got.fault, got.reason)
  const { reply } = got
  const rcode = rcodeOf(reply)
  const isDefinite = reply.rcode === 0 || reply.rcode === NXDOMAIN
  if (!isDefinite)
    return { ...nothing(address, faultOf(reply.rcode), `${address} answered ${rcode}`), rcode }
  if (part === 'authority' && !reply.isAuthoritative)
    return { ...nothing(address, 'lame', `${address} is not responsible for this zone`), rcode }
  const { records, aliases } = recordsFor(name, type, reply.answers)
  const passed = reply.answers.filter((record) => record.type === 'CNAME')
  const ttls = [...records, ...passed].map(({ ttlSeconds }) => ttlSeconds)
  return {
    server: address,
    outcome: records.length > 0 ? 'found' : 'none',
    fault: null,
    reason: '',
    rcode,
    isAuthoritative: reply.isAuthoritative,
    records,
    chain: aliases,
    ttlSeconds: records.length > 0 ? Math.min(...ttls) : reply.negativeTtlSeconds,
  }
}

const rcodeOf = ({ rcode }: DnsReply): string =>
  rcode === 0
    ? 'NOERROR'
    : rcode === NXDOMAIN
      ? 'NXDOMAIN'
      : (errorWords[rcode] ?? `error ${rcode}`)

const faultOf = (rcode: number): DnsFault =>
  rcode === SERVFAIL ? 'servfail' : rcode === REFUSED ? 'refused' : 'error'

const nothing = (server: string, fault: DnsFault, reason: string): Read => ({
  server,
  outcome: 'unknown',
  fault,
  reason,
  rcode: '',
  isAuthoritative: false,
  records: [],
  chain: [],
  ttlSeconds: 0,
})

const unaddressed = (host: string): ServerAnswer => ({
  ...nothing('', 'no-address', `${host} has no address that can be asked`),
  host,
  latencyMs: 0,
})

/** Follows an alias that ends in another zone to that zone's own servers, once for all servers that return it. */
const followOut = async (
  { lookUpAtSource }: Observer,
  answer: ServerAnswer,
  type: RecordType,
  memo: LookUpMemo,
): Promise<ServerAnswer> => {
  const target = answer.chain.at(-1)
  if (answer.outcome !== 'none' || target === undefined || answer.rcode === 'NXDOMAIN')
    return answer
  const key = `follow ${type} ${target}`
  const known = memo.get(key) as Promise<DnsAnswer> | undefined
  const following = known ?? lookUpAtSource(target, type, memo)
  memo.set(key, following)
  const end = await following
  if (end.outcome === 'none') return end.isNxdomain ? { ...answer, rcode: 'NXDOMAIN' } : answer
  if (end.outcome === 'failed')
    return { ...answer, outcome: 'unknown', fault: 'error', reason: `${target}: ${end.reason}` }
  const chain = [...answer.chain, ...end.chain]
  if (chain.length > MAX_ALIASES)
    return {
      ...answer,
      outcome: 'unknown',
      fault: 'error',
      reason: `the alias leads through more than ${MAX_ALIASES} others`,
    }
  const ttlSeconds = Math.min(...end.records.map((record) => record.ttlSeconds))
  return { ...answer, outcome: 'found', records: end.records, chain, ttlSeconds }
}
