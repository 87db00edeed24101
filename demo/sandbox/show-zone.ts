/** A zone as its editor shows it. */
import { domainToUnicode } from 'node:url'
import type { ListedSandboxZone, SandboxRecord, SandboxZone } from '#contract/dns/sandbox.ts'
import type { SandboxZones, ZoneRecord } from '../world/sandbox-zones.ts'
import type { AddedDomain, AskedRecord } from './added-domains.ts'
import { mistakesAt } from './mistakes/all-mistakes.ts'
import { publishedValue } from './mistakes/mistake.ts'
import { recordId, type Sandbox } from './sandbox.ts'

export const shownZone = (
  sandbox: Sandbox,
  { id, name, asked }: AddedDomain,
  isForeign: boolean,
): SandboxZone => {
  const { zones } = sandbox
  const zone = zones.zoneOf(name)
  const made = sandbox.madeIn(name).map((mistake) => mistake.id)
  const isOpen = !isForeign && zone !== null
  return {
    ...{ _id: id, name, unicodeName: domainToUnicode(name) || name, zone, isForeign },
    nameServers: isOpen ? zones.nameServersOf(zone) : [],
    records: isOpen ? zones.recordsOf(zone).map((record) => shownRecord(zone, record)) : [],
    asked: asked.map(({ purpose, type, name, value, priority }, at) => ({
      ...{ purpose, type, name, value, priority },
      isPublished: asked[at] !== undefined && isPublished(zones, asked[at]),
    })),
    mistakes: isForeign
      ? []
      : mistakesAt(zones, name).map(({ id, group, title, text }) => ({
          ...{ id, group, title, text },
          isMade: made.includes(id),
        })),
  }
}

export const listedZone = (
  sandbox: Sandbox,
  { id, name, asked }: AddedDomain,
  isForeign: boolean,
): ListedSandboxZone => {
  const { zones } = sandbox
  const zone = zones.zoneOf(name)
  return {
    ...{ _id: id, name, unicodeName: domainToUnicode(name) || name, isForeign },
    hasZone: zone !== null,
    records: isForeign || zone === null ? 0 : zones.recordsOf(zone).length,
    published: asked.filter((record) => isPublished(zones, record)).length,
    asked: asked.length,
    mistakes: isForeign ? [] : sandbox.madeIn(name),
  }
}

const isPublished = (zones: SandboxZones, record: AskedRecord): boolean =>
  record.type !== 'SRV' && zones.valuesOf(record.name, record.type).includes(publishedValue(record))

const shownRecord = (zone: string, record: ZoneRecord): SandboxRecord => {
  const { name, type, value, ttl } = record
  const [priority = '', host = ''] = value.split(' ')
  return {
    id: recordId(record),
    host: name === zone ? '@' : name.slice(0, -zone.length - 1),
    ...{ name, type, ttl },
    ...(type === 'MX' ? { value: host, priority: Number(priority) } : { value, priority: null }),
  }
}
