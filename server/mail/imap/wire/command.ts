/** The commands of a client, as they were understood. Mailbox names are Unicode; INBOX is `INBOX`. */

import type { Criteria } from '#server/features/messages/by-uid/criteria.ts'
import type { MessageFlags } from '#server/features/messages/by-uid/message-flags.ts'
import type { MessageSet, Range } from './message-sets.ts'

export type StatusItem =
  | 'MESSAGES'
  | 'RECENT'
  | 'UIDNEXT'
  | 'UIDVALIDITY'
  | 'UNSEEN'
  | 'DELETED'
  | 'SIZE'
  | 'HIGHESTMODSEQ'
  | 'MAILBOXID'
  | 'APPENDLIMIT'

export type PlainItem =
  | 'FLAGS'
  | 'UID'
  | 'INTERNALDATE'
  | 'RFC822.SIZE'
  | 'ENVELOPE'
  | 'BODY'
  | 'BODYSTRUCTURE'
  | 'MODSEQ'
  | 'EMAILID'
  | 'THREADID'
  | 'SAVEDATE'
  | 'PREVIEW'

/** Bytes of a mail: BODY[...], BINARY[...] and the old RFC822 items. */
export type SectionItem = {
  item: 'SECTION'
  /** As it is answered, without the origin: `BODY[1.MIME]`. */
  label: string
  /** Empty: the mail itself. */
  part: readonly number[]
  /** `ALL`: header and body of the mail, or the body of the part. */
  of: 'ALL' | 'HEADER' | 'FIELDS' | 'NOT_FIELDS' | 'TEXT' | 'MIME'
  /** Lower case. */
  fields: readonly string[]
  /** Does not set \Seen. */
  isPeek: boolean
  range: { offset: number; length: number } | null
  /** `decoded`: without its transfer encoding (RFC 3516); `decoded-size`: the length of that. */
  as: 'sent' | 'decoded' | 'decoded-size'
}

export type FetchItem = { item: PlainItem } | SectionItem

/** Positions from 1, or from the end below 0 (RFC 9394). */
export type Portion = { first: number; last: number }

export type SearchReturn = {
  options: ReadonlySet<'MIN' | 'MAX' | 'ALL' | 'COUNT' | 'SAVE'>
  partial: Portion | null
}

export type SearchKey = Criteria<{ messages: MessageSet; by: 'sequence' | 'uid' }>

export type SortKey = {
  by: 'ARRIVAL' | 'CC' | 'DATE' | 'FROM' | 'SIZE' | 'SUBJECT' | 'TO' | 'DISPLAYFROM' | 'DISPLAYTO'
  isReverse: boolean
}

export type AppendedMessage = { flags: MessageFlags; date: Date | null; raw: Buffer }

export type Qresync = { uidValidity: number; modseq: number; knownUids: readonly Range[] | null }

/** What a client can be told of without asking (RFC 5465 §5). */
export type NotifyEvent =
  | 'MESSAGENEW'
  | 'MESSAGEEXPUNGE'
  | 'FLAGCHANGE'
  | 'MAILBOXNAME'
  | 'SUBSCRIPTIONCHANGE'

/** `of`: the mailboxes (RFC 5465 §6). Without events: nothing of them. */
export type EventGroup = {
  of:
    | 'SELECTED'
    | 'SELECTED-DELAYED'
    | 'INBOXES'
    | 'PERSONAL'
    | 'SUBSCRIBED'
    | 'SUBTREE'
    | 'MAILBOXES'
  /** Of SUBTREE and MAILBOXES. */
  names: ReadonlySet<string>
  events: ReadonlySet<NotifyEvent>
  /** What is fetched of a new message in the selected mailbox. */
  newItems: readonly FetchItem[]
}

type ListFields = {
  reference: string
  patterns: readonly string[]
  /** In capitals. */
  selects: ReadonlySet<string>
  returns: ReadonlySet<string>
  status: readonly StatusItem[] | null
  /** In the syntax of RFC 5258. */
  isExtended: boolean
}

type Searching = {
  isUid: boolean
  returns: SearchReturn | null
  key: SearchKey
  asksModseq: boolean
}

type Fetching = {
  isUid: boolean
  set: MessageSet
  items: readonly FetchItem[]
  changedSince: number | null
  isVanished: boolean
  partial: Portion | null
}

type Storing = {
  isUid: boolean
  set: MessageSet
  how: 'set' | 'add' | 'remove'
  isSilent: boolean
  flags: MessageFlags
  unchangedSince: number | null
}

/** One type for each name. */
type Each<Name extends string, Fields = unknown> = Name extends string
  ? { name: Name } & Fields
  : never

export type Command =
  | Each<'CAPABILITY' | 'NOOP' | 'LOGOUT' | 'STARTTLS' | 'CHECK' | 'CLOSE' | 'UNSELECT'>
  | Each<'IDLE' | 'NAMESPACE' | 'COMPRESS'>
  | Each<'ID', { fields: ReadonlyMap<string, string> }>
  | Each<'AUTHENTICATE', { mechanism: string; initial: string | null }>
  | Each<'LOGIN', { user: string; password: string }>
  | Each<'ENABLE', { capabilities: readonly string[] }>
  | Each<'SELECT' | 'EXAMINE', { mailbox: string; isCondstore: boolean; qresync: Qresync | null }>
  | Each<'CREATE', { mailbox: string; use: readonly string[] }>
  | Each<'DELETE' | 'SUBSCRIBE' | 'UNSUBSCRIBE', { mailbox: string }>
  | Each<'RENAME', { from: string; to: string }>
  | Each<'LIST' | 'LSUB', ListFields>
  | Each<'STATUS', { mailbox: string; items: readonly StatusItem[] }>
  | Each<'APPEND', { mailbox: string; messages: readonly AppendedMessage[] }>
  | Each<'REPLACE', { isUid: boolean; number: number; mailbox: string; message: AppendedMessage }>
  | Each<'FETCH', Fetching>
  | Each<'STORE', Storing>
  | Each<'COPY' | 'MOVE', { isUid: boolean; set: MessageSet; mailbox: string }>
  | Each<'EXPUNGE', { set: MessageSet | null }>
  | Each<'SEARCH' | 'THREAD', Searching>
  | Each<'SORT', Searching & { order: readonly SortKey[] }>
  /** `groups`: null for NONE. `badEvents`: some are not known here. */
  | Each<
      'NOTIFY',
      { groups: readonly EventGroup[] | null; tellsStatus: boolean; badEvents: boolean }
    >
  | Each<'GETQUOTA' | 'GETQUOTAROOT', { of: string }>

export type Named<Name extends Command['name']> = Extract<Command, { name: Name }>
export type ListCommand = Named<'LIST' | 'LSUB'>

/** `isUtf8`: after ENABLE of UTF8=ACCEPT or IMAP4rev2. `now`: in milliseconds, for OLDER and YOUNGER. */
export type ReadingMode = { isUtf8: boolean; now: number }
