/** Tells what changed in the list of a folder, so that an open page does not read it again (decision 091). */
import { type ChangesOfList, MAX_LIST_CHANGES } from '#contract/mail/conversations.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { toConversation } from '../conversations.ts'
import { conversationRows, conversationsOf } from '../conversations-store.ts'
import { pickFolder, toFolders } from '../list-folders.ts'
import { touchedAfter } from './log-store.ts'
import { readLog } from './read-log.ts'

type Asked = { folder: string; since: number; rows: number }

/** In one snapshot of the database. @throws NOT_EXISTS */
export const changesOfList = (
  app: App,
  who: Who,
  mailboxId: string,
  { folder, since, rows }: Asked,
): Promise<ChangesOfList> =>
  readLog(app, who, mailboxId, async ({ tx, place: mailbox, modseq, isKnown }) => {
    const folders = await foldersOf(tx, mailbox.workspaceId, mailboxId)
    const place = { ...mailbox, folderId: pickFolder(folders, folder).id }
    const touched = isKnown(since) ? await touchedAfter(tx, place, since, MAX_LIST_CHANGES + 1) : []
    const isForgotten = !isKnown(since) || touched.length > MAX_LIST_CHANGES
    const threads = isForgotten ? [] : [...new Set(touched.map(({ threadId }) => threadId))]
    const items = threads.length === 0 ? [] : await conversationsOf(tx, place, threads)
    // At most so many rows have left the known part of the list.
    const from = Math.max(0, rows - threads.length)
    const end = await conversationRows(tx, place, { from, limit: rows - from })
    return {
      ...{ isForgotten, modseq, folders: toFolders(folders), threads },
      ...{ total: end.total, items: items.map(toConversation) },
      messages: isForgotten ? [] : [...new Set(touched.map(({ id }) => id))],
      end: end.rows.map(toConversation),
    }
  })
