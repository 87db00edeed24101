/** What a kind of record declares, and what it is asked with. The kinds themselves are in `record-kinds.ts`. */
import type { DnsRecord, RecordPurpose } from '#contract/domains.ts'
import type { Dns, LookUpMemo, RecordType } from '#server/lib/dns/dns.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import type { MailServer } from '#server/standards/set-up/mail-server.ts'
import type { KnownKey } from './compare-dkim.ts'
import type { Senders } from './compare-spf.ts'
import type { Seen } from './seen.ts'
import type { Verdict } from './verdict.ts'

export type RecordKind = {
  /** In every list; each kind has its own. */
  position: number
  type: DnsRecord['type']
  priority?: number
  isRequired: boolean
  /** null: the domain cannot publish it, as when it has no second key. */
  expected: (domain: Publishing) => { name: string; value: string } | null
  compare: (seen: Seen, asked: Asked) => Verdict | Promise<Verdict>
  /** What tells our record from others elsewhere; the expected value when absent. */
  wanted?: (asked: Asked) => string
  /** Wrong places where this record ends up. */
  places: (lost: Lost) => string[]
  /** Types that may be there by mistake, when the name may have records of other types anyway. */
  otherTypes?: RecordType[]
  /** Whether a record in a wrong place is ours: its text without quotation marks. `isSurelyMeant`: only a slip leads there. */
  isOurs: (text: string, wanted: string, isSurelyMeant: boolean) => boolean
}

export type Publishing = {
  name: string
  ownershipToken: string
  selector: string
  /** The RSA public key in base64. */
  publicKey: string
  spfMechanisms: string[]
  mailHost: string
  /** The Ed25519 key; absent when the domain has none. */
  secondKey?: KnownKey | undefined
  /** For the records of mail programs; absent where only the others are made. `webHost`: null when our web server has no name. */
  setUp?: { webHost: string | null; mailServer: MailServer } | undefined
}

export type ExpectedRecord = {
  purpose: RecordPurpose
  position: number
  type: DnsRecord['type']
  name: string
  value: string
  ttl: number
  priority: number | null
  isRequired: boolean
}

export type Asked = {
  dns: Dns
  record: ExpectedRecord
  domain: string
  senders: Senders
  mailHost: string
  memo: LookUpMemo
  /** Keys of the domain for the record's algorithm; the key that signs is first. */
  keys: readonly KnownKey[]
  lookUp: SpfLookUp
  /** true: more look-ups to explain what is wrong. */
  isExplained: boolean
}

/** A record that is missing or wrong at its name. */
export type Lost = {
  purpose: RecordPurpose
  name: string
  type: RecordType
  domain: string
  /** The zone of the domain; null when not known. */
  zone: string | null
  /** Other selectors that may have our key. */
  selectors: readonly string[]
}
