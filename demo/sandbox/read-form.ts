/** Turns the input of the editor into a record, by the rules of a zone (RFC 1034 §3.6.2, RFC 2181 §10.1). */
import type { SandboxRecordForm } from '#contract/dns/sandbox.ts'
import { invalidField } from '#contract/errors.ts'
import type { SandboxZones, ZoneRecord } from '../world/sandbox-zones.ts'

const MAX_RECORDS = 200
const MAX_NAME = 253

/** @throws VALIDATION @param old the record that is changed; it does not conflict with itself */
export const readForm = (
  zones: SandboxZones,
  domain: string,
  { host, type, value: typed, priority, ttl }: SandboxRecordForm,
  old: ZoneRecord | null = null,
): ZoneRecord => {
  const zone = zones.zoneOf(domain) ?? domain
  const name = nameOf(host.toLowerCase(), zone)
  const value = type === 'TXT' ? joined(typed) : typed
  const record = { name, type, ttl, value: type === 'MX' ? `${priority ?? 10} ${value}` : value }
  const others = zones.recordsOf(zone).filter((each) => !isSame(each, old))
  if (others.some((each) => isSame(each, record)))
    throw invalidField('value', 'This record is there already')
  if (others.length >= MAX_RECORDS) throw invalidField('value', 'This zone is full')
  const isAlias = type === 'CNAME'
  if (others.some((each) => each.name === name && (isAlias || each.type === 'CNAME')))
    throw invalidField(
      'type',
      isAlias
        ? 'A CNAME record cannot stand beside other records at the same name'
        : 'There is a CNAME record at this name, and nothing can stand beside it',
    )
  return record
}

/** Like most editors: several quoted strings are one value; quotation marks around the whole value become part of it. */
const joined = (text: string): string =>
  /^"[^"]*"(?:\s+"[^"]*")+$/.test(text) ? text.slice(1, -1).split(/"\s+"/).join('') : text

/** Like most editors: appends the zone to every host, even to one that already ends in it. */
const nameOf = (host: string, zone: string): string => {
  if (host === '' || host === '@') return zone
  const name = host.endsWith('.') ? host.slice(0, -1) : `${host}.${zone}`
  if (name !== zone && !name.endsWith(`.${zone}`))
    throw invalidField('host', `With a dot at the end, the name has to end in ${zone}`)
  if (name.length > MAX_NAME) throw invalidField('host', 'With the zone behind it this is too long')
  return name
}

const isSame = (one: ZoneRecord, other: ZoneRecord | null): boolean =>
  one.name === other?.name && one.type === other.type && one.value === other.value
