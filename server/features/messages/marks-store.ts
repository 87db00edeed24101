import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { MessagePlace } from './messages-store.ts'

/** As mail programs know it (RFC 5788). */
export const FORWARDED = '$Forwarded'

/** @returns whether it was otherwise before. */
export const setMark = async (
  db: Db,
  { workspaceId, mailboxId, messageId }: MessagePlace,
  mark: 'answered' | 'forwarded',
  { isOn, modseq }: { isOn: boolean; modseq: number },
): Promise<boolean> => {
  const isMarked =
    mark === 'answered' ? sql<boolean>`is_answered` : sql<boolean>`${FORWARDED} = any(keywords)`
  const change =
    mark === 'answered'
      ? { isAnswered: isOn, modseq }
      : {
          keywords: isOn
            ? sql<string[]>`keywords || ${FORWARDED}::text`
            : sql<string[]>`array_remove(keywords, ${FORWARDED})`,
          modseq,
        }
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', messageId)
    .where(isMarked, '=', !isOn)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
