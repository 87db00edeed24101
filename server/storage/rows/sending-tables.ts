import type { JSONColumnType } from 'kysely'

/** One message to others, for 24 hours. Without a mailbox it still counts for its workspace. */
export type SendingsTable = {
  id: string
  workspaceId: string
  mailboxId: string | null
  at: Date
  /** Those outside this installation only. */
  recipients: number
  /** Of these, those that the mailbox had never written to. */
  newRecipients: number
}

/** Whom a mailbox has ever written to. */
export type CorrespondentsTable = {
  mailboxId: string
  workspaceId: string
  /** Lower case, A-labels. */
  address: string
}

/** Deliveries that another server refused for good, for 24 hours. */
export type BouncesTable = {
  deliveryId: string
  mailboxId: string
  workspaceId: string
  at: Date
}

/** One burst of bounces; at most one of a mailbox is not resumed (unique index). */
export type SendingStopsTable = {
  id: string
  mailboxId: string
  workspaceId: string
  stoppedAt: Date
  failed: number
  ended: number
  example: string
  resumedAt: Date | null
}

/** Files for messages that are being written. They go when no draft has them any more. */
export type UploadsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  blob: string
  filename: string
  contentType: string
  sizeBytes: number
  createdAt: Date
  removedAt: Date | null
}

export type Unfinished = { to?: string[]; cc?: string[]; bcc?: string[] }

/** What a draft has besides its message; kept with the message once it is sent, for as long as it may come back. */
export type DraftsTable = {
  mailboxId: string
  /** Chosen by whoever writes. */
  key: string
  workspaceId: string
  messageId: string
  /** The form that saved it last, and the number of that save. */
  writer: string
  save: number
  uploads: string[]
  inReplyTo: string | null
  forwardOf: string | null
  /** Recipients that are no addresses yet, by field. */
  unfinished: JSONColumnType<Unfinished, string, string>
  savedAt: Date
}

/** Keys of what was sent from the browser: each sends once, and tells what to take back. */
export type SendsTable = {
  mailboxId: string
  key: string
  workspaceId: string
  state: 'sent' | 'undone'
  /** null when the key was stopped before it arrived. */
  messageId: string | null
  outboxMessageId: string | null
  undoUntil: Date | null
  /** What the brakes counted. */
  sendingId: string | null
  newCorrespondents: string[]
  /** The message that this one answers or passes on, when it was the first to do so. */
  originalId: string | null
  originalMark: 'answered' | 'forwarded' | null
  createdAt: Date
}

/** Whom a mailbox writes to. */
export type ContactsTable = {
  mailboxId: string
  /** Lower case. */
  address: string
  workspaceId: string
  name: string
  /** Of name and address, folded, a space before each. */
  words: string
  times: number
  /** Logarithm of how often and how lately. */
  rank: number
}
