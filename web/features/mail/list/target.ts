/** The messages that an action is about, as the server and as the cached lists need them. */
import type { BulkChange } from '#contract/mail/changes.ts'
import type { IsAffected } from './mail-cache.ts'
import type { MailRow } from './mail-row.ts'
import type { Selection } from './use-selection.ts'

export type Target = {
  what: Pick<BulkChange, 'messages' | 'conversations' | 'all'>
  isAffected: IsAffected
  count: number
  /** Folder of the messages; when they are in several, the folder of the first. */
  folder: string
  isRead: boolean
  isStarred: boolean
}

/** Target for rows of one list. Returns null for no rows. */
export const targetOfRows = (rows: readonly MailRow[], folder: string): Target | null => {
  const [first] = rows
  if (first === undefined) return null
  const keys = new Set(rows.map(({ key }) => key))
  return {
    what: first.isConversation
      ? { conversations: { folder, threads: [...keys] } }
      : { messages: [...keys] },
    isAffected: ({ _id, threadId }) =>
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
  isAffected: ({ _id }) => _id === message._id,
  count: 1,
  folder,
  isRead: message.isRead,
  isStarred: message.isStarred,
})

/** Target for the whole folder up to `allUntil`, without the rows in `keys`. */
export const targetOfAll = (
  folder: string,
  { keys, allUntil }: Selection,
  count: number,
): Target => ({
  what: { all: { folder, until: allUntil ?? '', except: [...keys] } },
  isAffected: ({ _id, threadId }) => !keys.has(threadId ?? _id),
  count,
  folder,
  isRead: false,
  isStarred: false,
})
