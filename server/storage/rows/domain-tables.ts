import type { ColumnType, JSONColumnType } from 'kysely'
import type { RecordPurpose, RecordState, Sightings } from '#contract/domains.ts'
import type { Defaulted, Json } from './column-types.ts'

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
  /** First time it was active: from then on it may send while its ownership holds. */
  activatedAt: Date | null
  /** When a page last showed records of it that are not right yet: it is looked at more often then. */
  watchedAt: Date | null
  /** While it is being checked: after this the claim is void and another process may check it. */
  checkClaimedUntil: Date | null
  /** Its proof has been missing for so long that nothing is sent any more. */
  sendingStoppedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
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
  /** When last asked, definite or not. */
  checkedAt: Date | null
  nextCheckAt: Date | null
  /** When its state or its values last changed. */
  changedAt: Date | null
  /** When it was last found right; null: never. */
  verifiedAt: Date | null
  /** Since when nothing definite was learnt; null: the last check learnt something. */
  unansweredSince: Date | null
  /** Failed checks in a row after it had been right, each seen by several servers. */
  failures: Defaulted<number>
  /** When the last of them was counted. */
  failedAt: Date | null
  /** When the Admins were told that it fails; null once they were told that it is right again. */
  alertedAt: Date | null
  /** What each server said at the last check, definite or not. */
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
  /** Where the policy that applies stands; null when none does. */
  at: string | null
}

/** What a domain looked like in DNS when it was last looked at; null in it: never told. */
export type DomainSettingsTable = {
  domainId: string
  workspaceId: string
  zone: string | null
  nameServers: ColumnType<string[], string, string>
  mx: ColumnType<PresentMx[] | null, string | null, string | null>
  /** The SPF records at the domain, all of them. */
  spf: ColumnType<string[] | null, string | null, string | null>
  /** Our mechanisms at that time. */
  ourSpf: ColumnType<string[], string, string>
  dmarc: ColumnType<PresentDmarc | null, string | null, string | null>
  checkedAt: Date
}

/** One until it is revoked; it opens until it expires. */
export type DnsLinksTable = {
  id: string
  workspaceId: string
  domainId: string
  tokenHash: Buffer
  createdBy: string | null
  createdAt: Date
  expiresAt: Date
  /** To the minute. */
  openedAt: Date | null
  /** The address that it was mailed to last. */
  sentTo: string | null
}

/**
 * Row types of the ownership of domains: proofs that are missing, claims, and what was released.
 * The proof of a held domain is not in DNS; the row goes when it is back.
 */
export type MissingProofsTable = {
  domainId: string
  workspaceId: string
  /** What the Admins were told last. */
  step: 'noticed' | 'warned' | 'stopped' | 'last-call'
  since: Date
  /** The last definite look. */
  lookedAt: Date
  stopsAt: Date
  releasesAt: Date
}

/** A workspace has proven a name that another one holds. */
export type DomainClaimsTable = {
  id: string
  /** Of the claimant. */
  domainId: string
  workspaceId: string
  /** null: deleted or released since. */
  holderDomainId: string | null
  startedAt: Date
  /** The holder's own record was in DNS at the last definite look. */
  isHolderProven: boolean
  decidesAt: Date
  remindedAt: Date | null
  /** When DNS is asked for this claim. */
  nextLookAt: Date
  outcome: 'won' | 'withdrawn' | 'both-proven' | 'lapsed' | 'overtaken' | null
  endedAt: Date | null
}

/** Domains that a workspace lost; for its Admins to read. */
export type ReleasedDomainsTable = {
  id: string
  workspaceId: string
  name: string
  reason: 'proof-missing' | 'claimed'
  mailboxCount: number
  releasedAt: Date
}

/** What a record said before and after; the newest of each record are kept. */
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

/** When a workspace was last mailed about records that failed or recovered. */
export type DomainAlertsTable = {
  workspaceId: string
  mailedAt: Date
}
