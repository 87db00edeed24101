import type { ColumnType, Generated } from 'kysely'
import type { Authentication, FolderRole, Junk, Person } from '#contract/messages.ts'
import type { Defaulted, Json } from './column-types.ts'

export type MailboxesTable = {
  id: string
  workspaceId: string
  domainId: string
  /** Lower case, A-labels; unique in the installation. */
  email: string
  firstName: string
  lastName: string
  /** What recipients see in From; '': both names. */
  displayName: Defaulted<string>
  signature: Defaulted<string>
  status: 'inactive' | 'active' | 'suspended'
  /** Bytes of all its messages. */
  usedBytes: Defaulted<number>
  createdAt: Date
}

/** Another address of a mailbox. Unique in the installation, among mailboxes too: whoever takes one locks its domain. */
export type AliasesTable = {
  id: string
  workspaceId: string
  /** Of the address; the mailbox may be under another domain of the workspace. */
  domainId: string
  mailboxId: string
  /** Lower case, A-labels. */
  email: string
  createdAt: Date
}

/** The mailbox that gets what is for nobody else in a domain. */
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
  /** RFC 3501 §2.3.1.1: never reused for another folder of that name. */
  uidValidity: Generated<number>
  uidNext: Defaulted<number>
  /** RFC 7162: grows with every change in the folder. */
  highestModseq: Defaulted<number>
  messageCount: Defaulted<number>
  unreadCount: Defaulted<number>
}

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
  /** Header Message-ID without brackets, '' when missing. */
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
  /** IMAP keywords beyond the flags above. */
  keywords: Defaulted<string[]>
  hasAttachments: boolean
  authentication: Json<Authentication> | null
  /** null for what was written here. */
  junk: ColumnType<Junk | null, string | null | undefined, string | null>
  /** As what the mailbox learnt it, so that it is never counted twice. */
  learntAs: Defaulted<'junk' | 'good' | null>
  /** RFC 5321 reverse path, '' for bounces. */
  mailFrom: string
  /** The date shown: of arrival for received mail, of sending for sent mail. */
  date: Date
  /** Generated from subject, people and text. */
  searchText: string
}

/** A sender whose pictures from elsewhere are shown in this mailbox without a question. */
export type PictureSendersTable = {
  id: string
  workspaceId: string
  mailboxId: string
  /** Lower case; unique in the mailbox. */
  address: string
  createdAt: Date
}
