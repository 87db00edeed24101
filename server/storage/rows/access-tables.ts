import type { ColumnType } from 'kysely'
import type { AccessKind } from '#contract/mail/access.ts'

/** Who may read the mail of a mailbox. */
export type MailboxReadersTable = {
  mailboxId: string
  userId: string
  workspaceId: string
  createdAt: Date
  /** made: whoever made the mailbox, until its holder comes. */
  origin: ColumnType<ReaderOrigin, ReaderOrigin | undefined, ReaderOrigin>
}

export type ReaderOrigin = 'made' | 'given' | 'taken' | 'holder'

/** A link that sets the password of a mailbox's holder; at most one of a mailbox has not ended (unique index). */
export type AccessLinksTable = {
  tokenHash: Buffer
  workspaceId: string
  mailboxId: string
  /** null: it was handed over. */
  mailedTo: string | null
  /** null: made before anybody wrote it down, or the account is gone. */
  madeBy: string | null
  createdAt: Date
  expiresAt: Date
  /** null while it waits, also when it has run out. */
  endedAt: Date | null
  outcome: 'used' | 'withdrawn' | null
}

/** What happened to the access of a mailbox: never changed, and still there when the mailbox is gone. */
export type AccessEntriesTable = {
  id: string
  workspaceId: string
  mailboxId: string | null
  mailboxEmail: string
  kind: AccessKind
  /** Name and address as they were. */
  actor: string
  /** Whom it is about, as they were; '' when that is the actor. */
  subject: string
  reason: string
  at: Date
}
