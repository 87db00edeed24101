/** Queries servers in order until one gives a definite answer, and follows aliases (CNAME). */
import type { DnsAnswer, RecordType, ResourceRecord } from './dns.ts'
import { type DnsServerAddress, exchange, showServer } from './dns-exchange.ts'
import { type DnsReply, isAskable, plainName } from './dns-wire.ts'

export type Asked =
  | { outcome: 'reply'; reply: DnsReply; server: string }
  | { outcome: 'failed'; reason: string; isTimeout: boolean; servers: string[] }

/** The answer of a look-up; `isTimeout` distinguishes ETIMEOUT from ESERVFAIL. */
export type Answered = DnsAnswer & { isTimeout?: boolean }

const MAX_SERVERS = 3
export const MAX_ALIASES = 8
const MAX_RECORDS = 100
export const NXDOMAIN = 3
export const errorWords: Record<number, string> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  4: 'NOTIMP',
  5: 'REFUSED',
}

/** `resolver` asks for recursion; `authority` accepts only authoritative answers; `parent` also accepts a referral. */
export const askServers = async (
  servers: DnsServerAddress[],
  question: { name: string; type: RecordType; isUnchecked?: boolean },
  as: 'resolver' | 'authority' | 'parent',
  deadline: number,
): Promise<Asked> => {
  const chosen = servers.slice(0, MAX_SERVERS)
  const failures: string[] = []
  let isTimeout = false
  const tryOne = async (server: DnsServerAddress, until: number, over: 'udp' | 'tcp') => {
    const asked = await exchange(
      server,
      { ...question, isRecursive: as === 'resolver' },
      until,
      over,
    )
    if (asked.outcome === 'silent') {
      failures.push(asked.reason)
      isTimeout ||= asked.isTimeout
      return 'silent'
    }
    const { reply } = asked
    if (reply.rcode !== 0 && reply.rcode !== NXDOMAIN)
      failures.push(
        `${showServer(server)} answered ${errorWords[reply.rcode] ?? `error ${reply.rcode}`}`,
      )
    else if (as === 'authority' && !reply.isAuthoritative)
      failures.push(`${showServer(server)} is not responsible for this zone`)
    else return reply
    return 'refused'
  }
  for (const [at, server] of chosen.entries()) {
    // A lost packet must not use up the time of the next servers; a single server gets a second try over TCP.
    const tries = chosen.length === 1 ? 2 : chosen.length - at
    const until = Date.now() + (deadline - Date.now()) / tries
    let got = await tryOne(server, until, 'udp')
    if (got === 'silent' && chosen.length === 1) got = await tryOne(server, deadline, 'tcp')
    if (typeof got === 'object') return { outcome: 'reply', reply: got, server: showServer(server) }
  }
  return {
    outcome: 'failed',
    reason: [...new Set(failures)].join('; ') || 'no DNS server is known',
    isTimeout,
    servers: chosen.map(showServer),
  }
}

/** `ask` queries one name; an alias needs further queries. */
export const followAliases = async (
  name: string,
  type: RecordType,
  ask: (name: string) => Promise<Asked>,
): Promise<Answered> => {
  const chain: string[] = []
  let at = plainName(name)
  let servers: string[] = []
  for (;;) {
    // An invalid DNS name cannot exist.
    if (!isAskable(at)) return { outcome: 'none', isNxdomain: true, servers }
    const asked = await ask(at)
    if (asked.outcome === 'failed') return asked
    servers = [asked.server]
    const { records, aliases } = recordsFor(at, type, asked.reply.answers)
    chain.push(...aliases)
    if (chain.length > MAX_ALIASES)
      return {
        outcome: 'failed',
        reason: `${plainName(name)} is an alias that leads through more than ${MAX_ALIASES} others`,
        servers,
      }
    if (records.length > 0) return { outcome: 'found', records, chain, servers }
    const isNxdomain = asked.reply.rcode === NXDOMAIN
    const target = aliases.at(-1)
    // The alias ends in another zone, whose own servers must be queried.
    if (target === undefined || isNxdomain || asked.reply.soaOwners.length > 0)
      return { outcome: 'none', isNxdomain, chain, servers }
    at = target
  }
}

export const recordsFor = (
  name: string,
  type: RecordType,
  answers: ResourceRecord[],
): { records: ResourceRecord[]; aliases: string[] } => {
  const aliases: string[] = []
  for (let at = name; aliases.length <= MAX_ALIASES; ) {
    const records = answers.filter((record) => record.name === at && record.type === type)
    if (records.length > 0) return { records: records.slice(0, MAX_RECORDS), aliases }
    const alias = answers.find((record) => record.name === at && record.type === 'CNAME')
    if (!alias) break
    aliases.push(alias.data)
    at = alias.data
  }
  return { records: [], aliases }
}
