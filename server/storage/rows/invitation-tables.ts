import type { Role } from '#contract/rights.ts'

/** One per workspace and address waits for an answer (a unique index). */
export type InvitationsTable = {
  id: string
  workspaceId: string
  /** As of an account: lower case, A-labels. */
  email: string
  role: Role
  invitedBy: string | null
  sentAt: Date
  expiresAt: Date
  /** null while it waits, also when it has run out. */
  outcome: 'joined' | 'declined' | 'revoked' | null
  endedAt: Date | null
}

/** Each mail of an invitation has a link of its own; all of them end with the invitation. */
export type InvitationLinksTable = {
  tokenHash: Buffer
  invitationId: string
  workspaceId: string
  expiresAt: Date
}
