/** One line of a list: a conversation of a folder, or a message that a search has found. */
import type { Conversation } from '#contract/mail/conversations.ts'
import type { FoundMessage } from '#contract/mail/search.ts'
import type { MessageSummary, Person } from '#contract/messages.ts'

export type MailRow = MessageSummary & {
  /** By which it is selected: the thread of a conversation, or the message found. */
  key: string
  isConversation: boolean
  messages: number
  people: readonly Person[]
  /** The message to open. */
  opens: string
  /** Where a message was found; null within a folder. */
  folder: string | null
}

export const rowOfConversation = ({ threadId, ...rest }: Conversation): MailRow => ({
  ...rest,
  key: threadId,
  isConversation: true,
  folder: null,
})

export const rowOfFound = (found: FoundMessage): MailRow => ({
  ...found,
  key: found._id,
  isConversation: false,
  messages: 1,
  people: [],
  opens: found._id,
})

/** The same each time, as a line is drawn again for other words. */
export const noWords: readonly string[] = []

export const isOf = (row: MailRow, messageId: string, threadId: string | undefined): boolean =>
  row._id === messageId || row.opens === messageId || row.key === threadId

/** A list that may be long: only what was looked at is here. */
export type MailList = {
  /** How many lines it has, as far as that is known. */
  total: number
  /** undefined while it is on its way. */
  at: (index: number) => MailRow | undefined
  /** Those that are here, in their order. */
  loaded: () => { index: number; row: MailRow }[]
  indexOf: (messageId: string, threadId?: string) => number
  /** Reads what is seen. */
  want: (first: number, last: number) => void
  isPending: boolean
  /** What is shown belongs to the search before. */
  isOld: boolean
  isRefetching: boolean
  /** Nothing could be read. */
  error: { message: string } | null
  /** More could not be read. */
  isMoreFailed: boolean
  /** The end is known. */
  isWhole: boolean
  refetch: () => void
  /** To be marked. */
  words: readonly string[]
  isByParts: boolean
}
