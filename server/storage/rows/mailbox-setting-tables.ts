import type { Defaulted } from './column-types.ts'

/** One download of mail as mbox. */
export type MailExportsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  userId: string
  /** null: the whole mailbox. */
  folderId: string | null
  tokenHash: Buffer
  /** Messages when it was asked for, and those that are on their way or there. */
  total: number
  written: Defaulted<number>
  /** ready: its link was not opened yet. */
  state: 'ready' | 'running' | 'done' | 'failed'
  createdAt: Date
  /** Of the link. */
  expiresAt: Date
}

/** One mbox file; at most one of a mailbox is neither done nor cancelled (unique index). */
export type MailImportsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  filename: string
  /** What the browser knows of the file, so that an upload goes on with the same one. */
  fingerprint: string
  /** null: where the file says. */
  folderId: string | null
  sizeBytes: number
  receivedBytes: Defaulted<number>
  /** Up to here every message is filed, skipped or told as failed. */
  readBytes: Defaulted<number>
  filed: Defaulted<number>
  skipped: Defaulted<number>
  failed: Defaulted<number>
  /** stopped: `reason` says why; it can go on. */
  state: 'uploading' | 'running' | 'done' | 'stopped' | 'cancelled'
  reason: Defaulted<string>
  createdAt: Date
  touchedAt: Date
  /** While running: after this another worker may go on. */
  claimedUntil: Date | null
}

/** What was uploaded, piece by piece, until it is read. */
export type MailImportChunksTable = {
  importId: string
  startByte: number
  sizeBytes: number
  blob: string
  mailboxId: string
  workspaceId: string
}

/** Messages that could not be filed, the first hundred of an import. */
export type MailImportFaultsTable = {
  importId: string
  startByte: number
  /** Its place in the file, from 1. */
  n: number
  subject: string
  reason: string
  mailboxId: string
  workspaceId: string
}

/** One a mailbox, once it was saved. */
export type VacationRepliesTable = {
  mailboxId: string
  workspaceId: string
  isOn: boolean
  /** As chosen, 'YYYY-MM-DD' in `timeZone`; '': at once, without end. */
  firstDay: string
  lastDay: string
  timeZone: string
  startsAt: Date
  endsAt: Date | null
  subject: string
  text: string
  /** A new one answers everybody anew. */
  periodId: string
  /** So many answers went out in this period. */
  answered: number
}

/** Mail that came in while a reply was on, until it is decided whether to answer it. */
export type VacationDuesTable = {
  messageId: string
  mailboxId: string
  workspaceId: string
}

/** Who was answered, and when last. */
export type VacationAnswersTable = {
  mailboxId: string
  /** Lower case, A-labels. */
  address: string
  workspaceId: string
  periodId: string
  answeredAt: Date
}
