/** The zones of the demo's DNS as their editor shows them; every change is in its name servers at once. */
import type { SandboxRecordType } from '#contract/dns/sandbox.ts'
import type { DnsBehaviour, DnsPart, TestDns } from '#test-world/dns/dns-server.ts'
import { plainName } from '#test-world/dns/dns-zones.ts'

/** One line of the editor; MX values include their priority: '10 mail.example.com'. */
export type ZoneRecord = { name: string; type: SandboxRecordType; value: string; ttl: number }

/** disagreeing: the second name server does not have the records yet. lame: no name server has the zone. */
export type Trouble = 'failing' | 'silent' | 'slow' | 'disagreeing' | 'lame' | 'bogus'

type Entry = { name: string; type: SandboxRecordType; values: string[]; ttl: number }

export type SandboxZones = {
  /** @param isWorlds a zone of the environment, which belongs to no workspace */
  addZone(name: string, isWorlds?: boolean): void
  removeZone(name: string): void
  isWorlds(zone: string): boolean
  /** The zone of a name; null when there is none. */
  zoneOf(name: string): string | null
  nameServersOf(zone: string): string[]
  /** Ordered by name, type and value. */
  recordsOf(zone: string): ZoneRecord[]
  valuesOf(name: string, type: SandboxRecordType): string[]
  /** Replaces all values of this name and type, which have one TTL (RFC 2181 §5.2); an empty list removes the records. */
  set(name: string, type: SandboxRecordType, values: string[], ttl?: number): void
  troubleOf(zone: string): Trouble | null
  setTrouble(zone: string, trouble: Trouble | null): void
  /** The values that resolvers still have in their caches; null forgets them. */
  setCached(name: string, type: SandboxRecordType, values: string[] | null): void
}

export const USUAL_TTL_SECONDS = 300
export const SECOND_IP = '127.0.0.2'

/** @param second at SECOND_IP; null when this machine has no such address */
export const openSandboxZones = (dns: TestDns, second: TestDns | null): SandboxZones => {
  const zones = new Map<string, Map<string, Entry>>()
  const worlds = new Set<string>()
  const troubles = new Map<string, Trouble>()
  const servers = second === null ? [dns] : [dns, second]

  const zoneOf = (name: string): string | null => {
    for (
      let at = plainName(name);
      at !== '';
      at = at.includes('.') ? at.replace(/^[^.]*\./, '') : ''
    )
      if (zones.has(at)) return at
    return null
  }
  const entriesOf = (zone: string): Entry[] => [...(zones.get(zone)?.values() ?? [])]
  /** The servers that get a change now. */
  const serversOf = (zone: string) => (troubles.get(zone) === 'disagreeing' ? [dns] : servers)

  const set: SandboxZones['set'] = (given, type, values, ttl = USUAL_TTL_SECONDS) => {
    const name = plainName(given)
    const zone = zoneOf(name)
    const entries = zone === null ? undefined : zones.get(zone)
    if (zone === null || !entries) throw new Error(`no zone holds ${name}`)
    const key = `${name} ${type}`
    if (values.length === 0) entries.delete(key)
    else entries.set(key, { name, type, values, ttl })
    for (const server of serversOf(zone))
      if (values.length === 0) server.remove(name, type)
      else server.set(name, type, values, ttl)
  }
  const setTrouble = (zone: string, trouble: Trouble | null): void => {
    for (const server of servers) server.behave(zone, null)
    troubles.delete(zone)
    for (const { name, type, values, ttl } of entriesOf(zone)) second?.set(name, type, values, ttl)
    if (trouble === null) return
    troubles.set(zone, trouble)
    if (trouble === 'disagreeing')
      for (const { name, type } of entriesOf(zone)) second?.remove(name, type)
    else
      for (const { only, as, part } of behavioursOf[trouble])
        for (const server of servers)
          if (only === undefined || server === second) server.behave(zone, as, part)
  }
  return {
    zoneOf,
    set,
    setTrouble,
    troubleOf: (zone) => troubles.get(zone) ?? null,
    isWorlds: (zone) => worlds.has(zone),
    addZone: (given, isWorlds = false) => {
      const name = plainName(given)
      if (zones.has(name)) return
      zones.set(name, new Map())
      if (isWorlds) worlds.add(name)
      for (const server of servers) {
        // The parent of the zone, which answers with the delegation.
        server.zone(topLevelOf(name))
        server.zone(name)
        if (second === null) continue
        server.set(name, 'NS', [`ns1.${name}`, `ns2.${name}`])
        server.set(`ns2.${name}`, 'A', [SECOND_IP])
      }
    },
    removeZone: (name) => {
      setTrouble(name, null)
      for (const server of servers) {
        for (const { name: at, type } of entriesOf(name)) server.remove(at, type)
        for (const at of [name, `ns1.${name}`, `ns2.${name}`]) server.remove(at)
      }
      zones.delete(name)
    },
    nameServersOf: (zone) => servers.map((_, n) => `ns${n + 1}.${zone}`),
    recordsOf: (zone) =>
      entriesOf(zone)
        .flatMap(({ name, type, values, ttl }) =>
          values.map((value) => ({ name, type, value, ttl })),
        )
        .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    valuesOf: (name, type) =>
      zones.get(zoneOf(name) ?? '')?.get(`${plainName(name)} ${type}`)?.values ?? [],
    setCached: (name, type, values) => dns.setCached(name, type, values),
  }
}

const topLevelOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

const orderOf = ({ name, type, value }: ZoneRecord): string => [name, type, value].join(' ')

/** `only`: applies to the second name server alone. When the zone's own servers do not answer, resolvers do not either. */
type Behaving = { as: DnsBehaviour; part?: DnsPart; only?: 'second' }
const behavioursOf: Record<Exclude<Trouble, 'disagreeing'>, Behaving[]> = {
  failing: [{ as: 'servfail' }],
  silent: [{ as: 'silent', part: 'authority', only: 'second' }],
  slow: [{ as: 'slow', part: 'authority' }],
  lame: [{ as: 'lame-delegation' }],
  bogus: [{ as: 'bogus', part: 'resolver' }],
}
