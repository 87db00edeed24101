/** The words of each kind of record, and how its parts are written for the forms of DNS providers. */
import {
  type DnsRecord,
  type RecordPurpose,
  recordStatus,
  recordTitles,
} from '#contract/domains.ts'

export const purposeNames = recordTitles

/** Beside the type of a record, which says MX already. */
export const recordNames: Record<RecordPurpose, string> = { ...recordTitles, mx: 'Receiving' }

export const purposes: Record<RecordPurpose, string> = {
  ownership: 'Proves that the domain is yours',
  spf: 'Says which servers send its mail',
  dkim: 'Lets others check our signature',
  dmarc: 'Says what to do with forged mail',
  mx: 'Brings its mail here; recommended',
  'dkim-ed25519': 'A second signature; optional',
  'srv-imaps': 'Where programs read mail; optional',
  'srv-submissions': 'Where programs send mail; optional',
  'srv-imap': 'The same for older programs; optional',
  'srv-submission': 'The same for older programs; optional',
  autoconfig: 'Thunderbird and its relatives; optional',
  autodiscover: 'Outlook; optional',
  pacc: 'The newest way, of Apple and Thunderbird; optional',
  'pacc-digest': 'Proves what is served there; optional',
  'mta-sts-host': 'Where the policy is; optional',
  'mta-sts': 'Asks senders for TLS; optional',
  'tls-rpt': 'Reports on TLS to postmaster; optional',
}

/** Why one might publish the optional records, one paragraph for those that belong together. */
export const optionalReasons: readonly ((domainName: string) => string)[] = [
  (domainName) =>
    `A second DKIM key of a newer kind (Ed25519). Once it is published, mail of ${domainName} is signed with both keys; everything works without it.`,
  (domainName) =>
    `SRV, Autoconfig, Autodiscover and PACC: mail programs find their settings from an address at ${domainName} alone. The last three need a certificate for these hosts.`,
  (domainName) =>
    `MTA-STS, both records together: senders learn to use TLS for ${domainName}. With the value shown they try it and report; write 'enforce' for 'testing' in it when the reports are good, and they insist.`,
  () => 'TLS reports: other mail servers mail to postmaster each day what went wrong with TLS.',
]

/** Colours of the states, in every table and list. */
export const recordTones = { Verified: 'good', Pending: 'warn', Failed: 'bad' } as const

/** A recommended record is never shown as an error. */
export const toneOf = ({ isVerified, required }: Pick<DnsRecord, 'isVerified' | 'required'>) =>
  isVerified === null && !required ? 'warn' : recordTones[recordStatus(isVerified)]

/** RFC 1035 §3.3.14: a TXT record consists of strings of at most 255 bytes. Our values are ASCII. */
export const MAX_STRING_BYTES = 255

export function txtStrings(value: string): string[] {
  const count = Math.max(1, Math.ceil(value.length / MAX_STRING_BYTES))
  return Array.from({ length: count }, (_, index) =>
    value.slice(index * MAX_STRING_BYTES, (index + 1) * MAX_STRING_BYTES),
  )
}

/** A long value as zone files and Route 53 expect it: `"first" "second"`. */
export const quotedStrings = (value: string): string =>
  txtStrings(value)
    .map((part) => `"${part}"`)
    .join(' ')

/** The name relative to the domain, '@' for the domain itself. */
export function relativeHost(name: string, domain: string): string {
  if (name === domain) return '@'
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name
}

/** A name of three or more labels may be in the zone of its parent, where a short host would be wrong. */
export const mayLiveInParentZone = (domain: string): boolean => domain.split('.').length > 2
