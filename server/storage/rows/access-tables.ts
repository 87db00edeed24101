import type { ColumnType } from 'kysely'
import type { AccessKind } from '#contract/mail/access.ts'
import type { Defaulted } from './column-types.ts'

/** A user's right to read the mail of a mailbox. */
export type MailboxReadersTable = {
  mailboxId: string
  userId: string
  workspaceId: string
  createdAt: Date
  /** made: the user created the mailbox; this right ends when the mailbox gets a holder. */
  origin: ColumnType<ReaderOrigin, ReaderOrigin | undefined, ReaderOrigin>
  /** null: until it is taken back. */
  endsAt: Defaulted<Date | null>
  /** Whether the reader may send as the mailbox. */
  canSend: Defaulted<boolean>
}

export type ReaderOrigin = 'made' | 'given' | 'taken' | 'holder'

/** A link that sets the password of a mailbox's holder; at most one per mailbox has not ended (unique index). */
export type AccessLinksTable = {
  tokenHash: Buffer
  workspaceId: string
  mailboxId: string
  /** null: shown to the Admin instead of mailed. */
  mailedTo: string | null
  /** null: older than this column, or the account was deleted. */
  madeBy: string | null
  createdAt: Date
  expiresAt: Date
  /** null: not ended; it may have expired. */
  endedAt: Date | null
  outcome: 'used' | 'withdrawn' | null
}

/** The access log of a mailbox: rows never change, and outlive the mailbox. */
export type AccessEntriesTable = {
  id: string
  workspaceId: string
  mailboxId: string | null
  mailboxEmail: string
  kind: AccessKind
  /** The name and address at that time. */
  actor: string
  /** The person whose access changed, as at that time; '' when it is the actor. */
  subject: string
  reason: string
  at: Date
}
