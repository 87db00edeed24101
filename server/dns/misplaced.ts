/** A record that is not where it should be, found by looking where people put it instead. Pure. */
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { RecordPurpose, RecordState } from '#contract/domains.ts'
import type { RecordType, ResourceRecord } from '#server/lib/dns/dns.ts'
import { parseDkim } from '#server/standards/dns-records/dkim-record.ts'
import { isDmarc } from '#server/standards/dns-records/dmarc-record.ts'
import { isSpf } from '#server/standards/dns-records/spf-record.ts'
import { isPublicSuffix } from '#server/standards/domain-name.ts'
import type { Probed } from './probes.ts'
import { keyOf, type Seen } from './seen.ts'
import { unquoted } from './text-faults.ts'

export type Mistake = { state: RecordState; found: string[]; explanation: string; fix: string }

export type Facts = {
  purpose: RecordPurpose
  name: string
  type: 'TXT' | 'MX'
  domain: string
  zone: string | null
  /** Ownership: the value. DKIM: the key. MX: our mail server. */
  wanted: string
  seen: Seen
  probed: Probed[]
}

/** null when nothing is found that explains more than "it is not there". */
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
  // Below a zone of the owner's own, a name without records is only not there yet.
  if (!isMissing || (zone !== null && !isPublicSuffix(zone))) return null
  return {
    ...mistake(
      `The domain ${domain} does not exist in DNS: its name is misspelt, or it is not registered or has expired.`,
      `Check the spelling of ${domain}, and at the registrar that it is registered, paid for and has name servers.`,
    ),
    // A domain that was registered just now appears by itself.
    state: 'waiting',
  }
}

/** A CNAME at the domain itself takes the place of every other record there. */
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
    // Of a subdomain, the provider appends the name of the zone.
    const suffix = kind === 'doubled' ? probe.name.slice(name.length + 1) : domain
    const host = name === suffix ? '@' : name.slice(0, -suffix.length - 1)
    if (kind === 'doubled')
      return mistake(
        `The record stands at ${probe.name}: the DNS provider has appended the domain to the host once more.`,
        `Change its host to ${host}${host === '@' ? ' (or leave it empty)' : ''}, without the domain; the provider appends it.`,
        found,
      )
    const selector = isDkim(facts.purpose) && probe.name.endsWith(`._domainkey.${domain}`)
    return mistake(
      selector
        ? `Our DKIM key stands under another selector, at ${probe.name} instead of ${name}.`
        : `The record stands at ${probe.name} instead of ${name}.`,
      `Add the ${type} record at ${name} (host ${host}), and remove the one at ${probe.name}.`,
      found,
    )
  }
  return null
}

export const isDkim = (purpose: RecordPurpose): boolean =>
  purpose === 'dkim' || purpose === 'dkim-ed25519'

const oursAmong = ({ purpose, wanted }: Facts, { kind, name, seen }: Probed): ResourceRecord[] =>
  seen.records.filter(({ data }) => {
    const text = unquoted(data)
    if (purpose === 'ownership') return text.includes(wanted)
    if (purpose === 'spf') {
      // Names such as www may well have an SPF record of their own.
      const isSurelyMeant = kind === 'doubled' || name.startsWith('@.')
      return isSpf(text) && (isSurelyMeant || namesUs(text, wanted))
    }
    if (purpose === 'dmarc') return isDmarc(text)
    if (isDkim(purpose)) return parseDkim(text)?.publicKey === wanted
    return data.toLowerCase() === wanted.toLowerCase()
  })

/** `wanted` is the record that names only us. */
const namesUs = (text: string, wanted: string): boolean => {
  const words = text.toLowerCase().split(' ')
  const ours = wanted.toLowerCase().split(' ').slice(1, -1)
  return ours.every((mechanism) => words.includes(mechanism))
}

const wrongType = (facts: Facts): Mistake | null => {
  const { probed, name, type, purpose, wanted } = facts
  for (const { kind, seen, type: foundType } of probed) {
    if (kind !== 'type' || seen.records.length === 0) continue
    if (isFromWildcard(facts, foundType, seen)) continue
    const found = seen.records.map(({ data }) => data)
    const [first = ''] = found
    if (foundType === 'A') return addresses(facts, found)
    // Beside a mail domain's TXT records only our own host tells that the MX record was meant.
    if (
      purpose === 'mx' &&
      !found.some((text) => text.toLowerCase().includes(wanted.toLowerCase()))
    )
      continue
    return mistake(
      `At ${name} stands a record of type ${foundType} ('${first}'), where type ${type} is needed.`,
      `Remove it and add a record of type ${type} at ${name} with the value shown.`,
      found,
    )
  }
  return null
}

/** A provider that answers for the target of a CNAME hides it: proxied (through its own network) or flattened. */
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
    `At ${name} stands an alias (CNAME) to ${target}, and there is no ${type} record at its end.`,
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

/** A name that nobody made gets the same answer. */
const isFromWildcard = ({ probed }: Facts, type: RecordType, seen: Seen): boolean =>
  probed.some(
    (probe) => probe.kind === 'wildcard' && probe.type === type && isSame(probe.seen, seen),
  )

const isSame = (a: Seen, b: Seen): boolean =>
  keyOf(a.records) === keyOf(b.records) && a.chain.join(' ') === b.chain.join(' ')
