/** The zones of the demo's DNS as their editor shows them; every change stands in the DNS server at once. */
import type { TestDns } from '#test-world/dns/dns-server.ts'
import { plainName } from '#test-world/dns/dns-zones.ts'

export const recordTypes = ['TXT', 'MX', 'CNAME', 'A', 'AAAA'] as const
export type RecordType = (typeof recordTypes)[number]

/** One line of the editor; MX values carry their priority: '10 mail.example.com'. */
export type SandboxRecord = { name: string; type: RecordType; value: string }

type Entry = { name: string; type: RecordType; values: string[] }

export type SandboxZones = {
  addZone(name: string): void
  removeZone(name: string): void
  names(): string[]
  /** The zone that a name belongs to, null when there is none. */
  zoneOf(name: string): string | null
  /** By name and type, in the order in which they were added. */
  recordsOf(zone: string): SandboxRecord[]
  valuesOf(name: string, type: RecordType): string[]
  /** Replaces all values of this name and type; none removes it. */
  set(name: string, type: RecordType, values: string[]): void
  /** Whether the name servers of the zone answer SERVFAIL. */
  isFailing(zone: string): boolean
  setFailing(zone: string, isFailing: boolean): void
}

export const openSandboxZones = (dns: TestDns): SandboxZones => {
  const zones = new Map<string, Map<string, Entry>>()
  const failing = new Set<string>()

  const zoneOf = (name: string): string | null => {
    for (
      let at = plainName(name);
      at !== '';
      at = at.includes('.') ? at.replace(/^[^.]*\./, '') : ''
    )
      if (zones.has(at)) return at
    return null
  }
  const entriesOver = (name: string) => zones.get(zoneOf(name) ?? '')

  const set: SandboxZones['set'] = (given, type, values) => {
    const name = plainName(given)
    const entries = entriesOver(name)
    if (!entries) throw new Error(`no zone holds ${name}`)
    const key = `${name} ${type}`
    if (values.length === 0) {
      entries.delete(key)
      dns.remove(name, type)
    } else {
      entries.set(key, { name, type, values })
      dns.set(name, type, values)
    }
  }
  const setFailing = (zone: string, isFailing: boolean): void => {
    dns.behave(zone, isFailing ? 'servfail' : null)
    if (isFailing) failing.add(zone)
    else failing.delete(zone)
  }
  return {
    isFailing: (zone) => failing.has(zone),
    setFailing,
    addZone: (given) => {
      const name = plainName(given)
      if (zones.has(name)) return
      zones.set(name, new Map())
      dns.zone(name)
    },
    removeZone: (name) => {
      setFailing(name, false)
      for (const { name: at, type } of zones.get(name)?.values() ?? []) dns.remove(at, type)
      for (const at of [name, `ns1.${name}`]) dns.remove(at)
      zones.delete(name)
    },
    names: () => [...zones.keys()].sort(),
    zoneOf,
    recordsOf: (zone) =>
      [...(zones.get(zone)?.values() ?? [])]
        .flatMap(({ name, type, values }) => values.map((value) => ({ name, type, value })))
        .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1)),
    valuesOf: (name, type) => entriesOver(name)?.get(`${plainName(name)} ${type}`)?.values ?? [],
    set,
  }
}
