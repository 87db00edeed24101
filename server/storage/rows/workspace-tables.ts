import type { PaymentState } from '#contract/billing.ts'
import type { Role } from '#contract/rights.ts'
import type { AuditTopic } from '#contract/workspace/audit-log.ts'
import type { Defaulted, Json, Optional } from './column-types.ts'

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
  /** When a deleted workspace ends; null: not deleted (decision 062). */
  endsAt: Optional<Date>
  deletedBy: Optional<string>
  /** Its mail programs need app passwords: nobody's own password opens a mailbox to them. */
  needsAppPasswords: Defaulted<boolean>
  /** It has ended: only its invoices are kept. */
  endedAt: Optional<Date>
  /** An operator stopped its sending; null: it sends. It still receives and is read. */
  suspendedAt: Optional<Date>
  /** The reason, as its members read it. */
  suspendedFor: Defaulted<string>
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
  vatId: Defaulted<string>
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

/** What an invoice or a credit note says is fixed when it is issued: triggers refuse a change (decision 061). */
export type InvoicesTable = {
  id: string
  workspaceId: string
  /** The series of the issuing workspace; '' for invoices older than series. */
  series: string
  /** Without gaps in its series; displayed as 'MS-9F3A02-000042'. */
  number: number
  kind: 'invoice' | 'credit'
  /** The invoice that a credit note takes back in part or as a whole. */
  correctsId: string | null
  /** With tax; negative on a credit note. */
  amountCents: number
  mailboxCount: number
  /** A code of ISO 4217 in lower case. */
  currency: string
  taxName: string
  /** In hundredths of a percent. */
  taxRate: number
  /** The part of the amount that is tax. */
  taxCents: number
  /** The first day of the calendar month, and of the next. */
  periodStart: Date
  periodEnd: Date
  createdAt: Date
  dueAt: Date
  /** Why it was issued, where it is not for new mailboxes or a new month. */
  note: string
  sellerName: string
  sellerAddress: string
  sellerVatId: string
  sellerEmail: string
  paymentDetails: string
  /** card: Stripe collects it, and its mailboxes work once it is paid (decision 123). */
  collection: Defaulted<'hand' | 'card'>
  buyerName: string
  buyerAddress: string
  buyerVatId: string

  // What becomes of it.
  /** Credited: by credit notes as a whole, or a credit note itself. */
  status: 'Due' | 'Paid' | 'Credited'
  paidAt: Date | null
  /** What credit notes took back of it. */
  creditedCents: Defaulted<number>
  /** How many reminders were mailed. */
  reminders: Defaulted<number>
  remindedAt: Defaulted<Date | null>
  /** When its mailboxes were suspended because it was not paid. */
  suspendedAt: Defaulted<Date | null>
  /** What was paid of it and kept: without refunds and what a bank took back. */
  collectedCents: Defaulted<number>
  /** What became of its payments by card; null: nothing to say. */
  paymentState: Defaulted<PaymentState | null>
  /** Why a card was not charged, as the payer reads it; '' else. */
  paymentReason: Defaulted<string>
  /** Issued where no mail can be written; a loop mails it. */
  mailWaits: Defaulted<boolean>
}

/** Each number of an invoice, once in the installation; kept by a trigger. */
export type InvoiceNumbersTable = {
  series: string
  number: number
  workspaceId: string
}

export type InvoiceLinesTable = {
  id: string
  workspaceId: string
  invoiceId: string
  mailboxId: string
  email: string
  amountCents: number
  /** On a credit note: the line that it takes back. Each once (unique index). */
  creditedLineId: string | null
}

/** Idempotency keys of payments. */
export type PaymentsTable = {
  workspaceId: string
  key: string
  requestHash: Buffer
  invoiceId: string
  createdAt: Date
}

/** An archive of everything in a workspace (decision 112). At most one of a workspace is waiting or running (unique index). */
export type WorkspaceExportsTable = {
  id: string
  workspaceId: string
  /** Who asked for it, and then who last got a link to it; null: the account has gone. */
  userId: string | null
  /** By name, as in the access log. */
  askedBy: string
  createdAt: Date
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** How many there are, and how many are in it. */
  messages: number
  written: Defaulted<number>
  sizeBytes: Defaulted<number>
  /** Why it failed, as its Admins read it; '' else. */
  reason: Defaulted<string>
  tries: Defaulted<number>
  claimedUntil: Optional<Date>
  endedAt: Optional<Date>
  /** When its file goes; null: there is none yet. */
  expiresAt: Optional<Date>
  /** Of the last link to its file. */
  tokenHash: Optional<Buffer>
  tokenExpiresAt: Optional<Date>
}

/** What was changed in a workspace. A line is written before the change, and completed after it (decision 118). */
export type AuditLogTable = {
  id: string
  workspaceId: string
  at: Date
  /** The account may be gone; null: the program, or an operator. */
  userId: string | null
  name: string
  email: string
  /** With what: a browser, an API key, a link. */
  byWhat: string
  ip: string
  topic: AuditTopic
  action: string
  what: string
  object: string
  objectAfter: string | null
  details: Json<Record<string, string>>
  isDone: boolean
}
