/** Tells what happened in a mailbox since somebody last looked (decision 086). */
import type { MailboxChanges } from '#contract/mail/changes.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { toFolders } from '../list-folders.ts'
import { toSummary } from '../to-summary.ts'
import { changedAfter, type LogPosition } from './log-store.ts'
import { readLog } from './read-log.ts'

export type Since = { since: number; after?: string | undefined; limit: number }

/**
 * Everything after the modseq `since`, at most `limit` messages and as many removals per call, in one snapshot of the database.
 * A message that changed twice is told as it is now. @throws NOT_EXISTS
 */
export const changesSince = (
  app: App,
  who: Who,
  mailboxId: string,
  { since, after, limit }: Since,
): Promise<MailboxChanges> =>
  readLog(app, who, mailboxId, async ({ tx, place, modseq, isKnown }) => {
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const whole = { modseq, folders: toFolders(folders), changed: [], gone: [], after: null }
    if (!isKnown(since)) return { ...whole, isForgotten: true }
    const position = { modseq: since, id: after ?? LAST_ID }
    const found = await changedAfter(tx, place, position, limit + 1)
    const end = endOf(found, limit)
    const isBefore = ({ modseq: of }: { modseq: number }, id: string) =>
      end === null || of < end.modseq || (of === end.modseq && id <= end.id)
    return {
      ...whole,
      isForgotten: false,
      modseq: end?.modseq ?? modseq,
      after: end?.id ?? null,
      changed: found.changed
        .filter((row) => isBefore(row, row.id))
        .map((row) => ({
          ...toSummary(row),
          ...{ folder: row.folderId, thread: row.threadId, modseq: row.modseq },
        })),
      gone: found.gone
        .filter((row) => isBefore(row, row.messageId))
        .map(({ messageId, folderId, modseq: at }) => ({
          _id: messageId,
          folder: folderId,
          modseq: at,
        })),
    }
  })

/** After all changes of the modseq `since`. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Where this answer ends: at the earlier of the two `limit`th rows; null: there is no more. */
const endOf = (
  { changed, gone }: Awaited<ReturnType<typeof changedAfter>>,
  limit: number,
): LogPosition | null => {
  const ends = [
    changed.length > limit
      ? changed.map(({ modseq, id }) => ({ modseq, id }))[limit - 1]
      : undefined,
    gone.length > limit
      ? gone.map(({ modseq, messageId }) => ({ modseq, id: messageId }))[limit - 1]
      : undefined,
  ].filter((end) => end !== undefined)
  return ends.toSorted((a, b) => a.modseq - b.modseq || (a.id < b.id ? -1 : 1))[0] ?? null
}
