/** One row of a list: a conversation of a folder, or what a search found of a conversation. */
import type { Conversation } from '#contract/mail/conversations.ts'
import type { FoundConversation } from '#contract/mail/search.ts'
import type { MessageSummary, Person } from '#contract/messages.ts'

export type MailRow = MessageSummary & {
  /** Key of the selection: the thread. */
  key: string
  /** The messages that the row stands for; null: those of its conversation in the listed folder. */
  found: readonly string[] | null
  messages: number
  people: readonly Person[]
  /** Id of the message that the row opens. */
  opens: string
  /** The folder in which the search found the message; null in a folder's own list. */
  folder: string | null
}

export const rowOfConversation = ({ threadId, ...rest }: Conversation): MailRow => ({
  ...rest,
  key: threadId,
  found: null,
  folder: null,
})

export const rowOfFound = ({ threadId, ...rest }: FoundConversation): MailRow => ({
  ...rest,
  key: threadId,
  messages: rest.found.length,
  opens: rest._id,
})

/** One constant array, so that memoised rows are not rendered again. */
export const noWords: readonly string[] = []

export const isRowOf = (row: MailRow, messageId: string, threadId: string | undefined): boolean =>
  row._id === messageId || row.opens === messageId || row.key === threadId

/** A list that may be long: only the rows that were scrolled to are loaded. */
export type MailList = {
  /** Number of rows, as far as it is known. */
  total: number
  /** undefined while the row is loading. */
  at: (index: number) => MailRow | undefined
  /** The loaded rows, in order. */
  loaded: () => { index: number; row: MailRow }[]
  indexOf: (messageId: string, threadId?: string) => number
  /** Loads the rows that are in view. */
  load: (first: number, last: number) => void
  isPending: boolean
  /** true: the rows belong to the previous search. */
  isStale: boolean
  isRefetching: boolean
  /** Set when nothing could be loaded. */
  error: { message: string } | null
  /** true: further rows could not be loaded. */
  isMoreFailed: boolean
  /** true: no further rows exist. */
  isWhole: boolean
  refetch: () => void
  /** The words of the search, which the rows highlight. */
  words: readonly string[]
  isByParts: boolean
  /** What of the search was not understood, a sentence each. */
  notes: readonly string[]
}
