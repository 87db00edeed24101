/** For later rooms: log entries about access to mailboxes, and ending links and rights. */
import type { Insertable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { AccessEntriesTable, ReaderOrigin } from '#server/storage/rows/access-tables.ts'
import { mailboxRows } from '../mailbox-queries.ts'

type Maker = { workspaceId: string; userId: string }
type Address = { id: string; email: string }

/** Includes links without a recorded maker. @returns the mailboxes of the links. */
export const withdrawLinksBy = async (
  db: Db,
  { workspaceId, userId }: Maker,
  endedAt: Date,
): Promise<Address[]> => {
  const links = await db
    .updateTable('accessLinks')
    .set({ outcome: 'withdrawn', endedAt })
    .where('workspaceId', '=', workspaceId)
    .where((is) => is.or([is('madeBy', '=', userId), is('madeBy', 'is', null)]))
    .where('endedAt', 'is', null)
    .returning('mailboxId')
    .execute()
  return addressesOf(
    db,
    workspaceId,
    links.map(({ mailboxId }) => mailboxId),
  )
}

/** @returns the mailboxes that the user can no longer read. */
export const endRights = async (
  db: Db,
  { workspaceId, userId }: Maker,
  origins: ReaderOrigin[],
): Promise<Address[]> => {
  if (origins.length === 0) return []
  const rights = await db
    .deleteFrom('mailboxReaders')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .where('origin', 'in', origins)
    .returning('mailboxId')
    .execute()
  return addressesOf(
    db,
    workspaceId,
    rights.map(({ mailboxId }) => mailboxId),
  )
}

const addressesOf = async (db: Db, workspaceId: string, ids: string[]): Promise<Address[]> =>
  ids.length === 0
    ? []
    : mailboxRows(db).where('workspaceId', '=', workspaceId).where('id', 'in', ids).execute()

/** Deletes all reader rows of a member who leaves, whatever their origin. */
export const deleteReadersBy = async (db: Db, { workspaceId, userId }: Maker): Promise<void> => {
  await db
    .deleteFrom('mailboxReaders')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute()
}

/** When the workspace ends. */
export const deleteEntries = async (db: Db, workspaceId: string): Promise<void> => {
  await db.deleteFrom('accessEntries').where('workspaceId', '=', workspaceId).execute()
}

export const insertEntries = async (
  db: Db,
  entries: Insertable<AccessEntriesTable>[],
): Promise<void> => {
  if (entries.length > 0) await db.insertInto('accessEntries').values(entries).execute()
}
