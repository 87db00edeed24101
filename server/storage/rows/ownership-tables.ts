/** Row types of the ownership of domains: proofs that are missing, claims, and what was released. */

/** The proof of a held domain is not in DNS; the row goes when it is back. */
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
