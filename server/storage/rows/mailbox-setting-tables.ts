import type { Defaulted } from './column-types.ts'

/** One export of mail as mbox. */
export type MailExportsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  userId: string
  /** null: the whole mailbox. */
  folderId: string | null
  tokenHash: Buffer
  /** `total`: messages when the export was requested; `written`: messages sent so far. */
  total: number
  written: Defaulted<number>
  /** ready: its link was not opened yet. */
  state: 'ready' | 'running' | 'done' | 'failed'
  createdAt: Date
  /** When the link expires. */
  expiresAt: Date
}

/** One import of an mbox file; at most one per mailbox is neither done nor cancelled (unique index). */
export type MailImportsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  filename: string
  /** Identifies the file in the browser, so that an upload continues with the same file. */
  fingerprint: string
  /** null: the folders that the file names. */
  folderId: string | null
  sizeBytes: number
  receivedBytes: Defaulted<number>
  /** Every message before this offset is filed, skipped or reported as failed. */
  readBytes: Defaulted<number>
  filed: Defaulted<number>
  skipped: Defaulted<number>
  failed: Defaulted<number>
  /** stopped: it can be continued; `reason` says why it stopped. */
  state: 'uploading' | 'running' | 'done' | 'stopped' | 'cancelled'
  reason: Defaulted<string>
  createdAt: Date
  touchedAt: Date
  /** While running: afterwards another worker may continue. */
  claimedUntil: Date | null
}

/** Uploaded pieces that are not read yet. */
export type MailImportChunksTable = {
  importId: string
  startByte: number
  sizeBytes: number
  blob: string
  mailboxId: string
  workspaceId: string
}

/** Messages that could not be filed; the first hundred of an import. */
export type MailImportFaultsTable = {
  importId: string
  startByte: number
  /** The message's position in the file, from 1. */
  n: number
  subject: string
  reason: string
  mailboxId: string
  workspaceId: string
}

/** At most one per mailbox; no row until it is saved. */
export type VacationRepliesTable = {
  mailboxId: string
  workspaceId: string
  isOn: boolean
  /** As chosen, 'YYYY-MM-DD' in `timeZone`; '': from now on, or without an end. */
  firstDay: string
  lastDay: string
  timeZone: string
  startsAt: Date
  endsAt: Date | null
  subject: string
  text: string
  /** A new period answers every sender again. */
  periodId: string
  /** The number of answers in this period. */
  answered: number
}

/** Mail that arrived while the reply was on, until the worker has decided whether to answer it. */
export type VacationDuesTable = {
  messageId: string
  mailboxId: string
  workspaceId: string
}

/** The senders that were answered, with the time of the last answer. */
export type VacationAnswersTable = {
  mailboxId: string
  /** Lower case, A-labels. */
  address: string
  workspaceId: string
  periodId: string
  answeredAt: Date
}
