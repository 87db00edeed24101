/** Finds the name servers of a name's zone: searches the zone cut from the name upwards, through DNS_SERVERS. */
import { isIP } from 'node:net'
import { type Asked, askServers } from './ask-servers.ts'
import type { LookUpMemo, RecordType, ResourceRecord } from './dns.ts'
import type { DnsServerAddress } from './dns-exchange.ts'

export type AskResolver = (name: string, type: RecordType) => Promise<Asked>

/** `ips` is empty when the host name has no address. */
export type NameServer = { host: string; ips: string[] }
export type Zone = {
  apex: string
  servers: NameServer[]
  /** A query below the apex had no definite answer, so there may be another zone in between. */
  isDoubtful: boolean
}

const MAX_NAME_SERVERS = 8

/** null when the zone cannot be found. */
export const findZone = async (
  name: string,
  ask: AskResolver,
  memo: LookUpMemo,
): Promise<Zone | null> => {
  const cut = await findApex(name, (at, type) => once(memo, `${type} ${at}`, () => ask(at, type)))
  if (cut === null) return null
  return {
    ...cut,
    servers: await once(memo, `servers ${cut.apex}`, () => serversOf(cut.apex, ask)),
  }
}

/** The first address of every server, then the second of every server, and so on. */
export const addressesOf = (servers: NameServer[]): string[] => {
  const longest = Math.max(0, ...servers.map(({ ips }) => ips.length))
  const inTurn = Array.from({ length: longest }, (_, turn) => servers.map(({ ips }) => ips[turn]))
  return [...new Set(inTurn.flat())].filter((ip) => ip !== undefined)
}

/** Stops below the top-level domain, whose servers know only delegations. */
const findApex = async (
  name: string,
  ask: AskResolver,
): Promise<Pick<Zone, 'apex' | 'isDoubtful'> | null> => {
  let isDoubtful = false
  for (let at = name; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    const asked = await ask(at, 'SOA')
    if (asked.outcome === 'failed') {
      isDoubtful = true
      continue
    }
    if (asked.reply.answers.some((record) => record.type === 'SOA' && record.name === at))
      return { apex: at, isDoubtful }
    // A negative answer has the SOA of its zone (RFC 2308 §3), so the names in between can be skipped.
    const over = asked.reply.soaOwners.find(
      (owner) => owner.includes('.') && at.endsWith(`.${owner}`),
    )
    if (over) return { apex: over, isDoubtful }
  }
  return null
}

const serversOf = async (apex: string, ask: AskResolver): Promise<NameServer[]> =>
  withAddresses(
    recordsOf(await ask(apex, 'NS'), 'NS').map(({ data }) => data),
    [],
    ask,
  )

/** Resolvers rotate the order; sorting keeps the results stable when servers disagree. */
export const withAddresses = (
  hosts: string[],
  glue: ResourceRecord[],
  ask: AskResolver,
): Promise<NameServer[]> =>
  Promise.all(
    hosts
      .toSorted()
      .slice(0, MAX_NAME_SERVERS)
      .map(async (host) => {
        const known = glue.filter(({ name }) => name === host)
        const v4 = known.length > 0 ? known : recordsOf(await ask(host, 'A'), 'A')
        const records = v4.length > 0 ? v4 : recordsOf(await ask(host, 'AAAA'), 'AAAA')
        return { host, ips: records.map(({ data }) => data).filter((ip) => isIP(ip) !== 0) }
      }),
  )

const recordsOf = (asked: Asked, type: RecordType): ResourceRecord[] =>
  asked.outcome === 'reply' ? asked.reply.answers.filter((record) => record.type === type) : []

export const once = <T>(memo: LookUpMemo, key: string, make: () => Promise<T>): Promise<T> => {
  const known = memo.get(key)
  if (known) return known as Promise<T>
  const made = make()
  memo.set(key, made)
  return made
}

/**
 * The name servers that the parent zone delegates to. Used only to explain a fault: DNS_SERVERS find no zone when those servers
 * do not answer for it. Returns null when the parent cannot be queried, or delegates nothing.
 */
export const findDelegation = async (
  name: string,
  ask: AskResolver,
  /** The addresses of name servers that may be dialled. */
  dialable: (servers: NameServer[]) => DnsServerAddress[],
  deadline: number,
): Promise<Zone | null> => {
  for (let at = parentOf(name); at !== ''; at = parentOf(at)) {
    const asked = await ask(at, 'SOA')
    if (asked.outcome === 'failed') continue
    const parent = asked.reply.answers.some(({ type }) => type === 'SOA')
      ? at
      : asked.reply.soaOwners.find((owner) => at.endsWith(`.${owner}`))
    if (parent === undefined) return null
    const servers = await withAddresses(namesIn(await ask(parent, 'NS')), [], ask)
    return delegated(name, parent, dialable(servers), ask, deadline)
  }
  return null
}

const parentOf = (name: string): string =>
  name.includes('.') ? name.slice(name.indexOf('.') + 1) : ''

/** A referral is not authoritative, so every readable answer of the parent counts. */
const delegated = async (
  name: string,
  parent: string,
  servers: DnsServerAddress[],
  ask: AskResolver,
  deadline: number,
): Promise<Zone | null> => {
  for (let at = name; at !== parent && at.endsWith(`.${parent}`); at = parentOf(at)) {
    const asked = await askServers(servers, { name: at, type: 'NS' }, 'parent', deadline)
    if (asked.outcome === 'failed') return null
    const named = [...asked.reply.answers, ...asked.reply.referrals].filter(isNs)
    const apex = named[0]?.name
    if (apex === undefined || apex === parent) continue
    const hosts = named.filter((record) => record.name === apex).map(({ data }) => data)
    return { apex, isDoubtful: false, servers: await withAddresses(hosts, asked.reply.glue, ask) }
  }
  return null
}

const isNs = ({ type }: ResourceRecord): boolean => type === 'NS'

const namesIn = (asked: Asked): string[] =>
  asked.outcome === 'reply' ? asked.reply.answers.filter(isNs).map(({ data }) => data) : []
