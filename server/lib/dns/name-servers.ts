/** Finds the name servers of the zone that a name is in: the zone cut, bottom-up through DNS_SERVERS. */
import { isIP } from 'node:net'
import type { LookUpMemo, RecordType, ResourceRecord } from '../dns.ts'
import type { Asked } from './ask-servers.ts'

type AskResolver = (name: string, type: RecordType) => Promise<Asked>

const MAX_NAME_SERVERS = 4

/** Addresses of the name servers; empty when the zone or its servers cannot be found. */
export const findNameServers = async (
  name: string,
  ask: AskResolver,
  memo: LookUpMemo,
): Promise<string[]> => {
  const apex = await findApex(name, (at, type) => once(memo, `${type} ${at}`, () => ask(at, type)))
  return apex === null ? [] : once(memo, `servers ${apex}`, () => addressesOf(apex, ask))
}

/** Never climbs to a top-level domain: its servers only know who is delegated to. */
const findApex = async (name: string, ask: AskResolver): Promise<string | null> => {
  for (let at = name; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    const asked = await ask(at, 'SOA')
    if (asked.outcome === 'failed') continue
    if (asked.reply.answers.some((record) => record.type === 'SOA' && record.name === at)) return at
    // A negative answer carries the SOA of the zone that it is about (RFC 2308 §3), which saves the steps between.
    const over = asked.reply.soaOwners.find(
      (owner) => owner.includes('.') && at.endsWith(`.${owner}`),
    )
    if (over) return over
  }
  return null
}

const addressesOf = async (apex: string, ask: AskResolver): Promise<string[]> => {
  // Resolvers turn the order round; ours is fixed, so that servers that disagree do not make results flip.
  const hosts = recordsOf(await ask(apex, 'NS'), 'NS')
    .toSorted((a, b) => (a.data < b.data ? -1 : 1))
    .slice(0, MAX_NAME_SERVERS)
  const found = await Promise.all(
    hosts.map(async ({ data: host }) => {
      const v4 = recordsOf(await ask(host, 'A'), 'A')
      const records = v4.length > 0 ? v4 : recordsOf(await ask(host, 'AAAA'), 'AAAA')
      return records.map((record) => record.data)
    }),
  )
  // The first address of every host before the second of any.
  const longest = Math.max(0, ...found.map((ips) => ips.length))
  const inTurn = Array.from({ length: longest }, (_, turn) => found.map((ips) => ips[turn] ?? ''))
  return [...new Set(inTurn.flat())].filter((ip) => isIP(ip) !== 0)
}

const recordsOf = (asked: Asked, type: RecordType): ResourceRecord[] =>
  asked.outcome === 'reply' ? asked.reply.answers.filter((record) => record.type === type) : []

const once = <T>(memo: LookUpMemo, key: string, make: () => Promise<T>): Promise<T> => {
  const known = memo.get(key)
  if (known) return known as Promise<T>
  const made = make()
  memo.set(key, made)
  return made
}
