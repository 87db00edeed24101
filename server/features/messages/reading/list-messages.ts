import { invalidField } from '#contract/errors.ts'
import type { MessageSummary } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { openMailbox } from '../mailbox-access.ts'
import { listRows } from '../messages-store.ts'
import { findFolder } from './list-folders.ts'
import { searchWords } from './search-words.ts'
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
  await openMailbox(app, who, mailboxId)
  const folder = await findFolder(app.db, who.workspaceId, mailboxId, asked.folder)
  const after = asked.cursor === undefined ? null : readCursor(asked.cursor)
  if (asked.cursor !== undefined && after === null)
    throw invalidField('cursor', 'This is not a cursor of this list')
  const typed = asked.q?.trim() ?? ''
  const search = typed === '' ? null : searchWords(typed)
  // Nothing but signs: no message has those as words.
  if (search === '') return { items: [], nextCursor: null }
  const rows = await listRows(app.db, {
    workspaceId: who.workspaceId,
    folderId: folder.id,
    search,
    after,
    limit: asked.limit + 1,
  })
  const page = pageOf(rows, asked.limit, ({ date, id }) => ({ at: date, id }))
  return { items: page.items.map(toSummary), nextCursor: page.nextCursor }
}
