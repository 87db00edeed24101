import type { Invitation } from '#contract/workspace/invitations.ts'
import type { InvitationRow } from './invitations-store.ts'

export const toInvitation = (row: InvitationRow): Invitation => ({
  _id: row.id,
  email: row.email,
  role: row.role,
  sentAt: row.sentAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
})
