/** The records that a domain is asked to publish. */
import { isIP } from 'node:net'
import type { RecordPurpose } from '#contract/domains.ts'
import { expectedDkim } from '#server/standards/dns-records/dkim-record.ts'
import { DEFAULT_DMARC } from '#server/standards/dns-records/dmarc-record.ts'
import { expectedSpf } from '#server/standards/dns-records/spf-record.ts'

export type ExpectedRecord = {
  purpose: RecordPurpose
  position: number
  type: 'TXT' | 'MX'
  name: string
  value: string
  ttl: number
  priority: number | null
  isRequired: boolean
}

export type Publishing = {
  name: string
  ownershipToken: string
  selector: string
  /** base64 of the RSA key. */
  publicKey: string
  spfMechanisms: string[]
  mailHost: string
  /** Ed25519, when the domain has one. */
  secondKey?: { selector: string; publicKey: string } | undefined
}

const TTL_SECONDS = 3600
export const MX_PRIORITY = 10

export const ownershipValue = (token: string): string => `mailstead-verify=${token}`

/** SPF and DMARC as for a domain that has none yet; a check puts in what it finds. */
export const expectedRecords = (domain: Publishing): ExpectedRecord[] => {
  const { name } = domain
  const txt = (purpose: RecordPurpose, at: string, value: string) => ({
    purpose,
    type: 'TXT' as const,
    name: at,
    value,
    priority: null,
    isRequired: true,
  })
  const records = [
    txt('ownership', `_mailstead.${name}`, ownershipValue(domain.ownershipToken)),
    txt('spf', name, expectedSpf([], domain.spfMechanisms)),
    txt('dkim', `${domain.selector}._domainkey.${name}`, expectedDkim('rsa', domain.publicKey)),
    txt('dmarc', `_dmarc.${name}`, DEFAULT_DMARC),
    {
      purpose: 'mx' as const,
      type: 'MX' as const,
      name,
      value: domain.mailHost,
      priority: MX_PRIORITY,
      isRequired: false,
    },
  ]
  return [
    ...records.map((record, position) => ({ ...record, position, ttl: TTL_SECONDS })),
    ...(domain.secondKey ? [secondKeyRecord(name, domain.secondKey)] : []),
  ]
}

/** Optional, and last in every list. */
export const secondKeyRecord = (
  domain: string,
  { selector, publicKey }: { selector: string; publicKey: string },
): ExpectedRecord => ({
  purpose: 'dkim-ed25519',
  position: 9,
  type: 'TXT',
  name: `${selector}._domainkey.${domain}`,
  value: expectedDkim('ed25519', publicKey),
  ttl: TTL_SECONDS,
  priority: null,
  isRequired: false,
})

export type Senders = {
  /** null: MAIL_IPS is not set and MAIL_HOST could not be looked up. */
  ips: string[] | null
  mechanisms: string[]
}

export const addressMechanisms = (ips: readonly string[]): string[] =>
  ips.map((ip) => `${isIP(ip) === 6 ? 'ip6' : 'ip4'}:${ip}`)
