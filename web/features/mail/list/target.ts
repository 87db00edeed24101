/** The messages that an action is about, as the server and as the cached lists need them. */
import type { BulkChange } from '#contract/mail/changes.ts'
import type { IsAffected } from './mail-cache.ts'
import type { MailList, MailRow } from './mail-row.ts'
import type { ListSelection, Selection } from './use-selection.ts'

export type Target = {
  what: Pick<BulkChange, 'messages' | 'conversations' | 'all' | 'found'>
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
  const threads = new Set(rows.map(({ key }) => key))
  const found = new Set(rows.flatMap((row) => row.found ?? []))
  return {
    what:
      first.found === null
        ? { conversations: { folder, threads: [...threads] } }
        : { messages: [...found] },
    isAffected: ({ _id, threadId }) =>
      first.found === null ? threads.has(threadId ?? _id) : found.has(_id),
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

/** Where a list looks: `isOnly` limits a search to the folder. */
type Where = { q: string; folder: string; isOnly: boolean }

/** Target for all that a search finds up to `allUntil`, without the rows in `keys`. */
export const targetOfFound = (
  { q, folder, isOnly }: Where,
  { keys, allUntil }: Selection,
  count: number,
): Target => ({
  what: { found: { q, ...(isOnly && { folder }), until: allUntil ?? '', except: [...keys] } },
  isAffected: ({ threadId, found }) => found !== undefined && !keys.has(threadId ?? ''),
  count,
  folder,
  isRead: false,
  isStarred: false,
})

/** Target for what is selected of a list. Returns null for no rows. */
export const targetOfSelection = (
  where: Where,
  { selection, count, has }: ListSelection,
  list: MailList,
): Target | null => {
  if (selection.allUntil !== null)
    return where.q === ''
      ? targetOfAll(where.folder, selection, count)
      : targetOfFound(where, selection, count)
  const rows = list.loaded().map(({ row }) => row)
  return targetOfRows(
    rows.filter(({ key }) => has(key)),
    where.folder,
  )
}
