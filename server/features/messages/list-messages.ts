import { invalidField } from '#contract/errors.ts'
import type { MessageSummary } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { findFolder } from './list-folders.ts'
import { listRows } from './message-queries.ts'
import { searchMessages } from './search/search-messages.ts'
import { toSummary } from './to-summary.ts'

export type MessagesAsked = {
  folder: string
  q?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** One page of a folder, newest first; with `q` only what matches it. */
export const listMessages = async (
  app: App,
  who: Who,
  mailboxId: string,
  asked: MessagesAsked,
): Promise<{ items: MessageSummary[]; nextCursor: string | null }> => {
  const { folder: name, q = '', cursor, limit } = asked
  if (q.trim() !== '') {
    const found = await searchMessages(app, who, mailboxId, { q, folder: name, cursor, limit })
    return {
      items: found.items.map(({ folder: _folder, ...item }) => item),
      nextCursor: found.nextCursor,
    }
  }
  await openMailbox(app, who, mailboxId)
  const folder = await findFolder(app.db, who.workspaceId, mailboxId, name)
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null)
    throw invalidField('cursor', 'This is not a cursor of this list')
  const rows = await listRows(app.db, {
    workspaceId: who.workspaceId,
    folderId: folder.id,
    after,
    limit: limit + 1,
  })
  const page = pageOf(rows, limit, ({ date, id }) => ({ at: date, id }))
  return { items: page.items.map(toSummary), nextCursor: page.nextCursor }
}
