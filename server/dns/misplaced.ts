/** Explains a missing or wrong record by looking where such records end up by mistake. Pure. */
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { DnsRecord, RecordPurpose, RecordState } from '#contract/domains.ts'
import type { RecordType, ResourceRecord } from '#server/lib/dns/dns.ts'
import { isPublicSuffix } from '#server/standards/domain-name.ts'
import type { Probed } from './probes.ts'
import { recordKinds } from './record-kinds.ts'
import { keyOf, type Seen } from './seen.ts'
import { unquoted } from './text-faults.ts'

export type Mistake = { state: RecordState; found: string[]; explanation: string; fix: string }

export type Facts = {
  purpose: RecordPurpose
  name: string
  type: DnsRecord['type']
  domain: string
  zone: string | null
  /** Ownership: the record's value. DKIM: the key. MX: our mail server. */
  wanted: string
  seen: Seen
  probed: Probed[]
}

/** Returns null when nothing explains the missing record. */
export const misplaced = (facts: Facts): Mistake | null =>
  noSuchDomain(facts) ??
  aliasedApex(facts) ??
  wrongName(facts, 'doubled') ??
  wrongName(facts, 'elsewhere') ??
  wildcard(facts) ??
  deadAlias(facts) ??
  wrongType(facts)

const mistake = (explanation: string, fix: string, found: string[] = []): Mistake => ({
  state: 'different',
  found,
  explanation,
  fix,
})

const noSuchDomain = ({ domain, zone, probed }: Facts): Mistake | null => {
  const isMissing = probed.some(({ kind, seen }) => kind === 'domain' && seen.isNxdomain)
  // In a zone of the owner, a name without records just has none yet.
  if (!isMissing || (zone !== null && !isPublicSuffix(zone))) return null
  return {
    ...mistake(
      `The domain ${domain} does not exist in DNS: its name is misspelt, or it is not registered or has expired.`,
      `Check the spelling of ${domain}, and at the registrar that it is registered, paid for and has name servers.`,
    ),
    // A newly registered domain appears by itself.
    state: 'waiting',
  }
}

/** A CNAME at the domain itself excludes every other record there. */
const aliasedApex = ({ name, domain, type, seen }: Facts): Mistake | null => {
  const [target] = seen.chain
  if (name !== domain || target === undefined) return null
  return mistake(
    `${domain} itself is an alias (CNAME) of ${target}, and beside an alias no ${type} record can stand.`,
    `Replace the CNAME record at ${domain} by A records, or by the ALIAS or flattening of your DNS provider, and then add the ${type} record.`,
    [target],
  )
}

const wrongName = (facts: Facts, kind: 'doubled' | 'elsewhere'): Mistake | null => {
  const { probed, name, type, domain } = facts
  for (const probe of probed) {
    const ours = probe.kind === kind ? oursAmong(facts, probe) : []
    if (ours.length === 0) continue
    const found = ours.map(({ data }) => data)
    // For a subdomain, the provider appends the name of the zone.
    const suffix = kind === 'doubled' ? probe.name.slice(name.length + 1) : domain
    const host = name === suffix ? '@' : name.slice(0, -suffix.length - 1)
    if (kind === 'doubled')
      return mistake(
        `The record is at ${probe.name}: the DNS provider has appended the domain to the host once more.`,
        `Change its host to ${host}${host === '@' ? ' (or leave it empty)' : ''}, without the domain; the provider appends it.`,
        found,
      )
    const selector = probe.name.endsWith(`._domainkey.${domain}`)
    return mistake(
      selector
        ? `Our DKIM key is under another selector, at ${probe.name} instead of ${name}.`
        : `The record is at ${probe.name} instead of ${name}.`,
      `Add the ${type} record at ${name} (host ${host}), and remove the one at ${probe.name}.`,
      found,
    )
  }
  return null
}

const oursAmong = (
  { purpose, type, wanted }: Facts,
  { kind, name, seen }: Probed,
): ResourceRecord[] => {
  const isSurelyMeant = kind === 'doubled' || name.startsWith('@.')
  return seen.records.filter(({ data }) =>
    recordKinds[purpose].isOurs(type === 'TXT' ? unquoted(data) : data, wanted, isSurelyMeant),
  )
}

const wrongType = (facts: Facts): Mistake | null => {
  const { probed, name, type, purpose, wanted } = facts
  for (const { kind, seen, type: foundType } of probed) {
    if (kind !== 'type' || seen.records.length === 0) continue
    if (isFromWildcard(facts, foundType, seen)) continue
    const found = seen.records.map(({ data }) => data)
    const [first = ''] = found
    if (foundType === 'A') return addresses(facts, found)
    // Other TXT records are normal at a domain: only one that names our host was meant as the MX record.
    if (
      purpose === 'mx' &&
      !found.some((text) => text.toLowerCase().includes(wanted.toLowerCase()))
    )
      continue
    return mistake(
      `At ${name} there is a record of type ${foundType} ('${first}'), where type ${type} is needed.`,
      `Remove it and add a record of type ${type} at ${name} with the value shown.`,
      found,
    )
  }
  return null
}

/** A provider that answers with an address hides a CNAME: proxied (through its own network) or flattened. */
const addresses = ({ name, type }: Facts, found: string[]): Mistake => {
  const [first = ''] = found
  const isProxied = found.some(isOfCloudflare)
  const how = isProxied
    ? 'the CNAME record there is proxied (orange cloud)'
    : 'it is an A record, or a CNAME record that the DNS provider flattens'
  return mistake(
    `At ${name} the DNS provider answers with the address ${first} instead of a ${type} record: ${how}.`,
    `Remove that record and add one of type ${type} at ${name} with the value shown${isProxied ? ', DNS only' : ''}.`,
    found,
  )
}

const cloudflare = [
  '104.16.0.0/13',
  '104.24.0.0/14',
  '172.64.0.0/13',
  '188.114.96.0/20',
  '162.158.0.0/15',
]
const isOfCloudflare = (ip: string): boolean =>
  isIPv4(ip) && cloudflare.some((range) => ipaddr.parse(ip).match(ipaddr.parseCIDR(range)))

const deadAlias = ({ name, type, seen }: Facts): Mistake | null => {
  const target = seen.chain.at(-1)
  if (target === undefined || seen.records.length > 0) return null
  return mistake(
    `At ${name} there is an alias (CNAME) to ${target}, but no ${type} record at its end.`,
    `Replace the CNAME record at ${name} by a ${type} record with the value shown.`,
    [target],
  )
}

const wildcard = (facts: Facts): Mistake | null => {
  const { name, type, domain, seen } = facts
  const hasSomething = seen.records.length > 0 || seen.chain.length > 0
  if (!hasSomething || !isFromWildcard(facts, type, seen)) return null
  return {
    ...mistake(
      `There is no record at ${name} itself yet: a wildcard record (*) of ${domain} answers for it with something else.`,
      `Add a ${type} record at ${name} with the value shown; it takes precedence over the wildcard, which can stay.`,
      seen.records.map(({ data }) => data),
    ),
    state: 'waiting',
  }
}

/** A name that does not exist gets the same answer. */
const isFromWildcard = ({ probed }: Facts, type: RecordType, seen: Seen): boolean =>
  probed.some(
    (probe) => probe.kind === 'wildcard' && probe.type === type && isSame(probe.seen, seen),
  )

const isSame = (a: Seen, b: Seen): boolean =>
  keyOf(a.records) === keyOf(b.records) && a.chain.join(' ') === b.chain.join(' ')
