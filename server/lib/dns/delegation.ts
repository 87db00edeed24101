/**
 * Whom the parent zone names as the servers of a name's zone. Asked only to explain a fault: when DNS_SERVERS find
 * no zone, because those servers do not answer for it.
 */
import type { ResourceRecord } from '../dns.ts'
import { type Asked, askServers } from './ask-servers.ts'
import type { DnsServerAddress } from './dns-exchange.ts'
import { type AskResolver, type NameServer, withAddresses, type Zone } from './name-servers.ts'

/** null when the parent cannot be asked, or delegates nothing. */
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

/** A referral comes without authority, so any readable answer of the parent counts. */
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
