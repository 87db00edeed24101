import type { ColumnType, Generated } from 'kysely'
import type { Authentication, FolderRole, Junk, Person } from '#contract/messages.ts'
import type { Defaulted, Json, Optional } from './column-types.ts'

export type MailboxesTable = {
  id: string
  workspaceId: string
  domainId: string
  /** Lower case, A-labels; unique in the installation. */
  email: string
  firstName: string
  lastName: string
  /** The name in From; '': first and last name. */
  displayName: Defaulted<string>
  signature: Defaulted<string>
  status: 'inactive' | 'active' | 'suspended'
  /** Suspended because an invoice was not paid: only its payment resumes it. */
  isOverdue: Defaulted<boolean>
  /** Bytes of all its messages. */
  usedBytes: Defaulted<number>
  /** RFC 7162: grows with every change of its mail, in the order of commits (decision 086). */
  modseq: Defaulted<number>
  /** Tombstones up to this modseq may be missing. */
  forgottenModseq: Defaulted<number>
  /** When a deleted mailbox ends; null: not deleted (decision 062). */
  endsAt: Optional<Date>
  deletedBy: Optional<string>
  /** Deleted with its domain, and restored with it. */
  isDeletedWithDomain: Defaulted<boolean>
  createdAt: Date
}

/** Another address of a mailbox. Unique in the installation, also among mailboxes: creating one locks its domain. */
export type AliasesTable = {
  id: string
  workspaceId: string
  /** The domain of the address; the mailbox may belong to another domain of the workspace. */
  domainId: string
  mailboxId: string
  /** Lower case, A-labels. */
  email: string
  createdAt: Date
}

/** Each address of a mailbox or an alias, once in the installation; kept by triggers. */
export type AddressesTable = {
  email: string
  workspaceId: string
  /** null: of an alias. */
  mailboxId: string | null
}

/** The mailbox that receives mail for unknown addresses of a domain. */
export type CatchAllsTable = {
  domainId: string
  workspaceId: string
  mailboxId: string
}

export type FoldersTable = {
  id: string
  workspaceId: string
  mailboxId: string
  role: FolderRole | null
  name: string
  /** RFC 3501 §2.3.1.1: never reused for another folder of the same name. */
  uidValidity: Generated<number>
  uidNext: Defaulted<number>
  /** RFC 7162: the mailbox's modseq at the last change in the folder. */
  highestModseq: Defaulted<number>
  messageCount: Defaulted<number>
  unreadCount: Defaulted<number>
  /** Shown by mail programs (RFC 9051 §6.3.7). */
  isSubscribed: Defaulted<boolean>
}

/** One table, not partitions (decision 137). */
export type MessagesTable = {
  id: string
  workspaceId: string
  mailboxId: string
  folderId: string
  uid: number
  modseq: number
  threadId: string
  /** SHA-256 of the raw message, hex. */
  blob: string
  sizeBytes: number
  /** The header field Message-ID without brackets; '' when missing. */
  messageId: string
  inReplyTo: string | null
  references: Json<string[]>
  subject: string
  from: Json<Person | null>
  to: Json<Person[]>
  cc: Json<Person[]>
  bcc: Json<Person[]>
  preview: string
  isRead: boolean
  isStarred: boolean
  isAnswered: Defaulted<boolean>
  isDraft: Defaulted<boolean>
  /** Marked for deletion by a mail program (RFC 9051 §2.3.2). */
  isDeleted: Defaulted<boolean>
  /** IMAP keywords beyond the flags above. */
  keywords: Defaulted<string[]>
  hasAttachments: boolean
  authentication: Json<Authentication> | null
  /** null for mail that was written on this server. */
  junk: ColumnType<Junk | null, string | null | undefined, string | null>
  /** What the mailbox learnt it as, so that it is not counted twice; null: not learnt. */
  learntAs: Defaulted<'junk' | 'good' | null>
  /** RFC 5321 reverse path, '' for bounces. */
  mailFrom: string
  /** The displayed date, INTERNALDATE of IMAP: of arrival for received mail, of sending for sent mail. */
  date: Date
  /** When it came into this folder (RFC 8514); null before migration 0056: take `date`. */
  savedAt: Defaulted<Date | null>
  /** The name of the folder that it lost when that was deleted, while it is in Trash. */
  leftFolder: Defaulted<string | null>
  /** Subject, people, file names and text, for search. */
  searchText: string
}

/** A message that left a folder: moved, or deleted for good. Kept for 30 days (decision 086). */
export type TombstonesTable = {
  mailboxId: string
  /** Of the change that removed it. */
  modseq: number
  folderId: string
  uid: number
  workspaceId: string
  messageId: string
  /** When it left. */
  at: Date
  /** Set as long as the bytes of a deleted message are kept. */
  blob: string | null
  sizeBytes: number
  /** The row of a deleted message without its texts, while `blob` is set. */
  kept: Json<object> | null
}

/** A sender whose remote pictures this mailbox shows without asking. */
export type PictureSendersTable = {
  id: string
  workspaceId: string
  mailboxId: string
  /** Lower case; unique in the mailbox. */
  address: string
  createdAt: Date
}

/** A list that this mailbox left. */
export type UnsubscriptionsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  /** List-Id, else the address of the sender; lower case; unique in the mailbox. */
  list: string
  /** When it was last left. */
  createdAt: Date
}
