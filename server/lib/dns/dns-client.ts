/**
 * The only DNS client of the program: it queries DNS_SERVERS and the name servers found through them. Nothing is cached between
 * look-ups.
 */
import { getServers } from 'node:dns'
import { isIP } from 'node:net'
import { isDialable } from '../network-guard.ts'
import { type Answered, askServers, followAliases } from './ask-servers.ts'
import type { Dns, LookUpMemo, RecordType, ResourceRecord } from './dns.ts'
import type { DnsServerAddress } from './dns-exchange.ts'
import { addressesOf, findDelegation, findZone, type NameServer, once } from './name-servers.ts'
import { observeWith } from './observe.ts'

export type DnsSettings = {
  /** `ip` or `ip:port`; empty: the system's resolvers. The operator chooses them, so private addresses are allowed. */
  servers: readonly string[]
  /** The port of name servers. */
  port: number
  allowLoopbackPeers: boolean
  timeoutMs?: number
}

/** The timeout of one look-up with all its queries. */
const TIMEOUT_MS = 3000

export const openDns = (settings: DnsSettings): Dns => {
  const { port, allowLoopbackPeers, timeoutMs = TIMEOUT_MS } = settings
  const resolvers = () =>
    (settings.servers.length > 0 ? settings.servers : getServers()).flatMap(
      (text) => readServer(text) ?? [],
    )
  const askResolver = (name: string, type: RecordType, deadline: number) =>
    askServers(resolvers(), { name, type }, 'resolver', deadline)

  const lookUp = (name: string, type: RecordType): Promise<Answered> => {
    const deadline = Date.now() + timeoutMs
    return followAliases(name, type, (at) => askResolver(at, type, deadline))
  }

  /** Finds name servers even through a resolver that rejects the zone's DNSSEC signatures. */
  const askForServers = async (name: string, type: RecordType, deadline: number) => {
    const asked = await askResolver(name, type, deadline)
    if (asked.outcome === 'reply' || asked.isTimeout) return asked
    return askServers(resolvers(), { name, type, isUnchecked: true }, 'resolver', deadline)
  }
  const mayDial = (ip: string) => isDialable(ip, allowLoopbackPeers)
  const dialable = (servers: NameServer[]) =>
    addressesOf(servers)
      .filter(mayDial)
      .map((ip) => ({ ip, port }))

  const lookUpAtSource = (name: string, type: RecordType, memo: LookUpMemo = new Map()) => {
    const deadline = Date.now() + timeoutMs
    // The last third of the time is for the resolver, when the zone's own servers do not answer.
    const sourceDeadline = deadline - timeoutMs / 3
    return followAliases(name, type, async (at) => {
      const zone = await findZone(at, (n, t) => askForServers(n, t, sourceDeadline), memo)
      const servers = dialable(zone?.servers ?? [])
      if (servers.length > 0) {
        const asked = await askServers(servers, { name: at, type }, 'authority', sourceDeadline)
        if (asked.outcome === 'reply') return asked
      }
      return askResolver(at, type, deadline)
    })
  }

  const observe = observeWith({
    resolvers,
    port,
    mayDial,
    timeoutMs,
    lookUpAtSource,
    findZone: async (name, deadline, memo) => {
      const ask = (n: string, t: RecordType) => askForServers(n, t, deadline)
      const zone = await findZone(name, ask, memo)
      if (zone !== null && !zone.isDoubtful) return zone
      const find = () => findDelegation(name, ask, dialable, deadline)
      return (await once(memo, `delegation ${name}`, find)) ?? zone
    },
  })

  return { lookUp, lookUpAtSource, observe, resolve: resolveWith(lookUp) }
}

const codes = { nxdomain: 'ENOTFOUND', nodata: 'ENODATA', timeout: 'ETIMEOUT', failed: 'ESERVFAIL' }

const shapes: Record<RecordType, (record: ResourceRecord) => unknown> = {
  A: ({ data }) => data,
  AAAA: ({ data }) => data,
  CNAME: ({ data }) => data,
  NS: ({ data }) => data,
  PTR: ({ data }) => data,
  TXT: ({ data, strings }) => strings ?? [data],
  SPF: ({ data, strings }) => strings ?? [data],
  MX: ({ data, preference }) => ({ exchange: data === '.' ? '' : data, priority: preference ?? 0 }),
  SRV: ({ data }) => {
    const [priority, weight, port, name] = data.split(' ')
    return { priority: Number(priority), weight: Number(weight), port: Number(port), name }
  },
  SOA: ({ data }) => {
    const [nsname, hostmaster, ...times] = data.split(' ')
    const [serial, refresh, retry, expire, minttl] = times.map(Number)
    return { nsname, hostmaster, serial, refresh, retry, expire, minttl }
  },
  TLSA: ({ data }) => {
    const [certUsage, selector, match, hex] = data.split(' ')
    return {
      certUsage: Number(certUsage),
      selector: Number(selector),
      match: Number(match),
      data: Buffer.from(hex ?? '', 'hex'),
    }
  },
}

const isKnown = (type: string): type is RecordType => Object.hasOwn(shapes, type)

/** Look-ups in the shape of `dns.promises.resolve`, for mail libraries that accept a resolver. */
export const resolveWith =
  (lookUp: (name: string, type: RecordType) => Promise<Answered>) =>
  async (name: string, type = 'A'): Promise<unknown[]> => {
    const wanted = type.toUpperCase()
    if (!isKnown(wanted)) throw failure('ENOTIMP', wanted, name)
    const answer = await lookUp(name, wanted)
    if (answer.outcome === 'found') return answer.records.map(shapes[wanted])
    if (answer.outcome === 'none')
      throw failure(answer.isNxdomain ? codes.nxdomain : codes.nodata, wanted, name)
    throw failure(answer.isTimeout ? codes.timeout : codes.failed, wanted, name)
  }

const failure = (code: string, type: string, hostname: string): Error =>
  Object.assign(new Error(`query${type} ${code} ${hostname}`), { code, hostname })

/** `ip`, `ip:port` or `[ip6]:port`. */
const readServer = (text: string): DnsServerAddress | null => {
  if (isIP(text) !== 0) return { ip: text, port: 53 }
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/.exec(text)
  const ip = parts?.[1] ?? parts?.[2] ?? ''
  return isIP(ip) === 0 ? null : { ip, port: Number(parts?.[3] ?? 53) }
}
