/** Tells what changed in the list of a folder, so that an open page does not read it again (decision 091). */
import { AppError } from '#contract/errors.ts'
import { type ChangesOfList, MAX_LIST_CHANGES } from '#contract/mail/conversations.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { foldersOf, readLogEnds } from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { toConversation } from '../conversations.ts'
import { conversationRows, conversationsOf } from '../conversations-store.ts'
import { pickFolder, toFolders } from '../list-folders.ts'
import { touchedAfter } from './log-store.ts'

type Asked = { folder: string; since: number; rows: number }

/** In one snapshot of the database. @throws NOT_EXISTS */
export const changesOfList = async (
  app: App,
  who: Who,
  mailboxId: string,
  { folder, since, rows }: Asked,
): Promise<ChangesOfList> => {
  await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  return app.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const ends = await readLogEnds(tx, { workspaceId, mailboxId })
      if (ends === undefined) throw new AppError('NOT_EXISTS')
      const folders = await foldersOf(tx, workspaceId, mailboxId)
      const place = { workspaceId, mailboxId, folderId: pickFolder(folders, folder).id }
      const isKnown = since >= ends.forgottenModseq && since <= ends.modseq
      const touched = isKnown ? await touchedAfter(tx, place, since, MAX_LIST_CHANGES + 1) : []
      const isForgotten = !isKnown || touched.length > MAX_LIST_CHANGES
      const threads = isForgotten ? [] : [...new Set(touched.map(({ threadId }) => threadId))]
      const items = threads.length === 0 ? [] : await conversationsOf(tx, place, threads)
      // At most so many rows have left the known part of the list.
      const from = Math.max(0, rows - threads.length)
      const end = await conversationRows(tx, place, { from, limit: rows - from })
      return {
        ...{ isForgotten, modseq: ends.modseq, folders: toFolders(folders), threads },
        ...{ total: end.total, items: items.map(toConversation) },
        messages: isForgotten ? [] : [...new Set(touched.map(({ id }) => id))],
        end: end.rows.map(toConversation),
      }
    })
}
