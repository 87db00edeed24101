import type { JSONColumnType } from 'kysely'
import type { Defaulted, Optional } from './column-types.ts'

/** A message to recipients outside: limits count 24 hours, operators see a week. After its mailbox is deleted it still counts for the workspace. */
export type SendingsTable = {
  id: string
  workspaceId: string
  mailboxId: string | null
  at: Date
  /** Only recipients outside this installation. */
  recipients: number
  /** Those among them that the mailbox had never written to. */
  newRecipients: number
}

/** The addresses that a mailbox has ever written to. */
export type CorrespondentsTable = {
  mailboxId: string
  workspaceId: string
  /** Lower case, A-labels. */
  address: string
}

/** Deliveries that another server refused permanently, kept for a week like `sendings`. */
export type BouncesTable = {
  deliveryId: string
  mailboxId: string
  workspaceId: string
  at: Date
}

/** A stop of sending, after many bounces or by an operator; at most one per mailbox is not resumed (unique index). */
export type SendingStopsTable = {
  id: string
  mailboxId: string
  workspaceId: string
  stoppedAt: Date
  failed: number
  ended: number
  example: string
  /** What the Admins read; absent: too many bounces stopped it. */
  operatorReason: Optional<string>
  /** The Admins are still to be told of it. */
  isUntold: Defaulted<boolean>
  resumedAt: Date | null
}

/** Complaints about mail of a mailbox that other servers passed on, kept for a week (decision 110). */
export type ComplaintsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  at: Date
  /** The type of the report: abuse, fraud ... */
  kind: string
  /** The domain that sent the report. */
  reporter: string
  /** A hash of the mail and of who complained: each counts once. */
  about: Buffer
}

/** Files of unsent messages. Deleted when no draft uses them any more. */
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

/** The additional data of a draft; kept after sending while sending can be undone. */
export type DraftsTable = {
  mailboxId: string
  /** Chosen by the client. */
  key: string
  workspaceId: string
  messageId: string
  /** The form that saved it last, and the number of that save. */
  writer: string
  save: number
  uploads: string[]
  inReplyTo: string | null
  forwardOf: string | null
  /** Typed recipients that are not addresses yet, by field. */
  unfinished: JSONColumnType<Unfinished, string, string>
  savedAt: Date
}

/** Keys of messages sent from the browser: each key sends once, and identifies what to undo. */
export type SendsTable = {
  mailboxId: string
  key: string
  workspaceId: string
  state: 'sent' | 'undone'
  /** null: undone before the request arrived. */
  messageId: string | null
  outboxMessageId: string | null
  undoUntil: Date | null
  /** The row in `sendings` that counts it. */
  sendingId: string | null
  newCorrespondents: string[]
  /** The message that this one answers or forwards; null unless this was the first to do so. */
  originalId: string | null
  originalMark: 'answered' | 'forwarded' | null
  createdAt: Date
}

/** The addresses that a mailbox writes to. */
export type ContactsTable = {
  mailboxId: string
  /** Lower case. */
  address: string
  workspaceId: string
  name: string
  /** The words of name and address, folded, each after a space. */
  words: string
  times: number
  /** The logarithm of a score of how often and how recently it was used. */
  rank: number
}
