import type { ColumnType, JSONColumnType } from 'kysely'
import type { RecordPurpose, RecordState, Sightings } from '#contract/domains.ts'
import type { Defaulted, Json, Optional } from './column-types.ts'

export type DomainsTable = {
  id: string
  workspaceId: string
  /** A-labels, lower case. */
  name: string
  ownershipToken: string
  /** Ownership is proven; one holder per name (unique index). */
  isVerified: Defaulted<boolean>
  verifiedAt: Date | null
  /** Ownership and every required record are verified now. */
  isActive: Defaulted<boolean>
  /** When it was first active: from then on it may send while its ownership is proven. */
  activatedAt: Date | null
  /** When a page last showed records that are not right yet: they are checked more often then. */
  watchedAt: Date | null
  /** Set during a check: afterwards the claim is void and another process may check. */
  checkClaimedUntil: Date | null
  /** When sending stopped because the proof was missing for too long. */
  sendingStoppedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When mail first came from outside, and first went there; null: not seen yet. */
  mailCameAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  mailWentAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When a member read that its mail works now; null: it is still to be said. */
  worksSeenAt: Optional<Date>
  /** When a deleted domain ends; null: not deleted (decision 062). */
  endsAt: Optional<Date>
  deletedBy: Optional<string>
  /** How many mailboxes it may have; null: as the installation says (decision 083). */
  mailboxLimit: Optional<number>
  /** Since when the Admins are to be told of its deletion, together with others; null: told, or nothing to tell. */
  deletionUntoldSince: Optional<Date>
  createdAt: Date
}

export type DomainRecordsTable = {
  domainId: string
  workspaceId: string
  purpose: RecordPurpose
  /** Position in the list. */
  position: number
  type: 'TXT' | 'MX' | 'CNAME' | 'SRV'
  name: string
  value: string
  ttl: number
  priority: number | null
  isRequired: boolean
  /** The last definite answer. */
  state: Defaulted<RecordState>
  found: Json<string[]>
  explanation: Defaulted<string>
  fix: Defaulted<string>
  /** Time of the last check, definite or not. */
  checkedAt: Date | null
  nextCheckAt: Date | null
  /** Time of the last change of state or values. */
  changedAt: Date | null
  /** When it was last right; null: never. */
  verifiedAt: Date | null
  /** Start of the checks without a definite answer; null: the last check had one. */
  unansweredSince: Date | null
  /** Consecutive failed checks after it was right, each confirmed by several servers. */
  failures: Defaulted<number>
  /** Time of the last counted failure. */
  failedAt: Date | null
  /** When the Admins were mailed about the failure; null once they were mailed about the recovery. */
  alertedAt: Date | null
  /** Each server's answer at the last check, definite or not. */
  sightings: ColumnType<Sightings | null, string | null | undefined, string | null>
}

/** DKIM keys of domains; the private key is encrypted with the row's id as context. */
export type DomainKeysTable = {
  id: string
  domainId: string
  workspaceId: string
  selector: string
  algorithm: 'rsa' | 'ed25519'
  privateKeySealed: string
  /** base64 of the DER SubjectPublicKeyInfo (RSA) or the raw key (Ed25519): the `p=` value. */
  publicKey: string
  createdAt: Date
}

export type PresentMx = { host: string; priority: number }
export type PresentDmarc = {
  found: string[]
  policy: 'none' | 'quarantine' | 'reject' | null
  /** The name that has the applied policy; null when no policy applies. */
  at: string | null
}

/** The DNS of a domain at its last check; null columns: DNS has not answered yet. */
export type DomainSettingsTable = {
  domainId: string
  workspaceId: string
  zone: string | null
  nameServers: ColumnType<string[], string, string>
  mx: ColumnType<PresentMx[] | null, string | null, string | null>
  /** Every SPF record of the domain. */
  spf: ColumnType<string[] | null, string | null, string | null>
  /** Our SPF mechanisms at that time. */
  ourSpf: ColumnType<string[], string, string>
  dmarc: ColumnType<PresentDmarc | null, string | null, string | null>
  checkedAt: Date
}

/** A link to the records of domains: deleted when revoked; it can be opened until it expires. */
export type DnsLinksTable = {
  id: string
  workspaceId: string
  tokenHash: Buffer
  createdBy: string | null
  createdAt: Date
  expiresAt: Date
  /** To the minute; null: never. */
  openedAt: Date | null
  /** The address that it was last mailed to. */
  sentTo: string | null
}

/** The domains that a link opens. */
export type DnsLinkDomainsTable = {
  workspaceId: string
  linkId: string
  domainId: string
}

/** A held domain whose proof is missing from DNS; the row is deleted when the proof is back. */
export type MissingProofsTable = {
  domainId: string
  workspaceId: string
  /** The last mail to the Admins. */
  step: 'noticed' | 'warned' | 'stopped' | 'last-call'
  since: Date
  /** Time of the last definite answer. */
  lookedAt: Date
  stopsAt: Date
  releasesAt: Date
}

/** Each verified name, once in the installation; kept by a trigger. */
export type VerifiedDomainsTable = {
  name: string
  workspaceId: string
  domainId: string
}

/** A claim: a workspace has proven a domain that another workspace holds. */
export type DomainClaimsTable = {
  id: string
  /** The claimant's domain. */
  domainId: string
  workspaceId: string
  /** null: deleted or released meanwhile. */
  holderDomainId: string | null
  startedAt: Date
  /** The holder's record was in DNS at the last definite answer. */
  isHolderProven: boolean
  decidesAt: Date
  remindedAt: Date | null
  /** Time of the next DNS check for this claim. */
  nextLookAt: Date
  outcome: 'won' | 'withdrawn' | 'both-proven' | 'lapsed' | 'overtaken' | null
  endedAt: Date | null
}

/** Domains that a workspace lost, for its Admins. */
export type ReleasedDomainsTable = {
  id: string
  workspaceId: string
  name: string
  reason: 'proof-missing' | 'claimed'
  mailboxCount: number
  releasedAt: Date
}

/** A record's values before and after a change; only the newest changes are kept. */
export type DomainRecordChangesTable = {
  id: string
  domainId: string
  workspaceId: string
  purpose: RecordPurpose
  at: Date
  fromState: RecordState
  fromValues: JSONColumnType<string[], string, string>
  toState: RecordState
  toValues: JSONColumnType<string[], string, string>
}

/** Time of the last mail to a workspace about failed or recovered records. */
export type DomainAlertsTable = {
  workspaceId: string
  mailedAt: Date
}
