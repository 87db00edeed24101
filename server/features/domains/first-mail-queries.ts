/** When mail first came to a domain and went from it, kept once it was seen: the mail itself may be deleted. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** Newest first. */
export const readFirstMail = (db: Db, workspaceId: string, ids: readonly string[] | null) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', 'isActive', 'mailCameAt', 'mailWentAt', 'worksSeenAt'])
    .where('workspaceId', '=', workspaceId)
    .where('endsAt', 'is', null)
    .$if(ids !== null, (query) =>
      query.where('id', '=', sql<string>`any(${[...(ids ?? [])]}::uuid[])`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** When the youngest active domain was added; null without one. */
export const youngestActiveSince = async (db: Db, workspaceId: string): Promise<Date | null> => {
  const row = await db
    .selectFrom('domains')
    .select('createdAt')
    .where('workspaceId', '=', workspaceId)
    .where('isActive', '=', true)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt ?? null
}

/** What is known already stays. */
export const keepFirstMail = async (
  db: Db,
  workspaceId: string,
  { id, cameAt, wentAt }: { id: string; cameAt: Date | null; wentAt: Date | null },
): Promise<void> => {
  await db
    .updateTable('domains')
    .set(({ fn, val }) => ({
      mailCameAt: fn.coalesce('mailCameAt', val(cameAt)),
      mailWentAt: fn.coalesce('mailWentAt', val(wentAt)),
    }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** @returns whether the workspace has this domain. */
export const noteWorksSeen = async (
  db: Db,
  workspaceId: string,
  { id, at }: { id: string; at: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('domains')
    .set(({ fn, val }) => ({ worksSeenAt: fn.coalesce('worksSeenAt', val(at)) }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
