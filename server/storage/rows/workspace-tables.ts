import type { Role } from '#contract/rights.ts'

/** Facts about the installation as a whole. */
export type InstallationTable = {
  key: string
  value: string
}

export type WorkspacesTable = {
  id: string
  name: string
  storageQuotaBytes: number
  createdAt: Date
}

export type MembersTable = {
  workspaceId: string
  userId: string
  role: Role
  createdAt: Date
}

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

/** Of a workspace; no row until it is saved. */
export type CompanyProfilesTable = {
  workspaceId: string
  name: string
  website: string
  phone: string
  address: string
  zipCode: string
  country: string
  city: string
  timeZone: string
  timeFormat: string
  updatedAt: Date
}

export type InvoicesTable = {
  id: string
  workspaceId: string
  /** Of the workspace that it was issued to; '' before there were any. */
  series: string
  /** Without gaps in its series; shown as 'MS-9F3A02-000042'. */
  number: number
  status: 'Due' | 'Paid'
  amountCents: number
  mailboxCount: number
  /** First day of the calendar month, and of the next. */
  periodStart: Date
  periodEnd: Date
  createdAt: Date
  paidAt: Date | null
}

export type InvoiceLinesTable = {
  id: string
  workspaceId: string
  invoiceId: string
  mailboxId: string
  email: string
  amountCents: number
}

/** Idempotency keys of payments. */
export type PaymentsTable = {
  workspaceId: string
  key: string
  requestHash: Buffer
  invoiceId: string
  createdAt: Date
}
