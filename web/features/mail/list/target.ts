/** What an action is about, for the server and for the lists. */
import type { BulkChange } from '#contract/mail/changes.ts'
import type { Touched } from './mail-cache.ts'
import type { MailRow } from './mail-row.ts'
import type { Selection } from './use-selection.ts'

export type Target = {
  what: Pick<BulkChange, 'messages' | 'conversations' | 'all'>
  isTouched: Touched
  count: number
  /** Where they are; with several folders, that of the first. */
  folder: string
  isRead: boolean
  isStarred: boolean
}

/** Rows of one list. */
export const targetOfRows = (rows: readonly MailRow[], folder: string): Target | null => {
  const [first] = rows
  if (first === undefined) return null
  const keys = new Set(rows.map(({ key }) => key))
  return {
    what: first.isConversation
      ? { conversations: { folder, threads: [...keys] } }
      : { messages: [...keys] },
    isTouched: ({ _id, threadId }) =>
      keys.has(threadId ?? _id) || (!first.isConversation && keys.has(_id)),
    count: rows.length,
    folder: first.folder ?? folder,
    isRead: rows.every(({ isRead }) => isRead),
    isStarred: rows.every(({ isStarred }) => isStarred),
  }
}

export const targetOfMessage = (
  message: { _id: string; isRead: boolean; isStarred: boolean },
  folder: string,
): Target => ({
  what: { messages: [message._id] },
  isTouched: ({ _id }) => _id === message._id,
  count: 1,
  folder,
  isRead: message.isRead,
  isStarred: message.isStarred,
})

/** The whole folder until a moment, but those left out. */
export const targetOfAll = (
  folder: string,
  { keys, allUntil }: Selection,
  count: number,
): Target => ({
  what: { all: { folder, until: allUntil ?? '', except: [...keys] } },
  isTouched: ({ _id, threadId }) => !keys.has(threadId ?? _id),
  count,
  folder,
  isRead: false,
  isStarred: false,
})
