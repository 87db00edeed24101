import type { Role } from '#contract/rights.ts'

/** Facts about the whole installation. */
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

/** At most one per workspace and address is open (unique index). */
export type InvitationsTable = {
  id: string
  workspaceId: string
  /** As for an account: lower case, A-labels. */
  email: string
  role: Role
  invitedBy: string | null
  sentAt: Date
  expiresAt: Date
  /** null: not answered; it may have expired. */
  outcome: 'joined' | 'declined' | 'revoked' | null
  endedAt: Date | null
}

/** Each mail of an invitation has its own link; all of them end with the invitation. */
export type InvitationLinksTable = {
  tokenHash: Buffer
  invitationId: string
  workspaceId: string
  expiresAt: Date
}

/** The company of a workspace; no row until it is saved. */
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

/** A search with filters and sorting of a list, kept by a member. */
export type SavedViewsTable = {
  id: string
  workspaceId: string
  userId: string
  list: 'domains' | 'mailboxes'
  name: string
  query: string
  createdAt: Date
}

export type InvoicesTable = {
  id: string
  workspaceId: string
  /** The series of the issuing workspace; '' for invoices older than series. */
  series: string
  /** Without gaps in its series; displayed as 'MS-9F3A02-000042'. */
  number: number
  status: 'Due' | 'Paid'
  amountCents: number
  mailboxCount: number
  /** The first day of the calendar month, and of the next. */
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
