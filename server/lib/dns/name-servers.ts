/** Finds the name servers of the zone that a name is in: the zone cut, bottom-up through DNS_SERVERS. */
import { isIP } from 'node:net'
import type { LookUpMemo, RecordType, ResourceRecord } from '../dns.ts'
import type { Asked } from './ask-servers.ts'

export type AskResolver = (name: string, type: RecordType) => Promise<Asked>

/** `ips` is empty when the name of the server leads nowhere. */
export type NameServer = { host: string; ips: string[] }
export type Zone = {
  apex: string
  servers: NameServer[]
  /** Nothing definite was learnt of some name below the apex, so there may be another zone in between. */
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

/** The first address of every server before the second of any. */
export const addressesOf = (servers: NameServer[]): string[] => {
  const longest = Math.max(0, ...servers.map(({ ips }) => ips.length))
  const inTurn = Array.from({ length: longest }, (_, turn) => servers.map(({ ips }) => ips[turn]))
  return [...new Set(inTurn.flat())].filter((ip) => ip !== undefined)
}

/** Never climbs to a top-level domain: its servers only know who is delegated to. */
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
    // A negative answer carries the SOA of the zone that it is about (RFC 2308 §3), which saves the steps between.
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

/** Resolvers turn the order round; ours is fixed, so that servers that disagree do not make results flip. */
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
