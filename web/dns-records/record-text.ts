/** What records are called, and how their parts are written for the forms of DNS providers. */
import { type DnsRecord, type RecordPurpose, recordStatus } from '#contract/domains.ts'

export const purposeNames: Record<RecordPurpose, string> = {
  ownership: 'Ownership',
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mx: 'MX',
  'dkim-ed25519': 'Second DKIM key',
}

/** The colours of the states, in every table and list. */
export const recordTones = { Verified: 'good', Pending: 'warn', Failed: 'bad' } as const

/** Nothing that is only recommended is alarming. */
export const toneOf = ({ isVerified, required }: Pick<DnsRecord, 'isVerified' | 'required'>) =>
  isVerified === null && !required ? 'warn' : recordTones[recordStatus(isVerified)]

/** RFC 1035 §3.3.14: a TXT record is made of strings of at most 255 bytes. Our values are ASCII. */
export const MAX_STRING_BYTES = 255

export function txtStrings(value: string): string[] {
  const count = Math.max(1, Math.ceil(value.length / MAX_STRING_BYTES))
  return Array.from({ length: count }, (_, index) =>
    value.slice(index * MAX_STRING_BYTES, (index + 1) * MAX_STRING_BYTES),
  )
}

/** As zone files and Route 53 want a long value: `"first" "second"`. */
export const quotedStrings = (value: string): string =>
  txtStrings(value)
    .map((part) => `"${part}"`)
    .join(' ')

/** The name below the domain, '@' for the domain itself. */
export function relativeHost(name: string, domain: string): string {
  if (name === domain) return '@'
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name
}

/** A name of three labels or more may live in the zone of its parent, where a short host would be wrong. */
export const mayLiveInParentZone = (domain: string): boolean => domain.split('.').length > 2
