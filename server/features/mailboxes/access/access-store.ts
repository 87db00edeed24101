/** Readers and access log of mailboxes in the database. Every query names the workspace. */
import { type Selectable, type SqlBool, sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import type { AccessEntriesTable, MailboxReadersTable } from '#server/storage/rows/access-tables.ts'

/** Oldest right first. */
export const findReaders = (db: Db, workspaceId: string, mailboxId: string, now: Date) =>
  db
    .selectFrom('mailboxReaders as r')
    .innerJoin(userRows(db).as('u'), 'u.id', 'r.userId')
    .select(['r.userId', 'r.origin', 'r.createdAt', 'u.firstName', 'u.lastName', 'u.email'])
    .select(['u.lastLoginAt', 'r.endsAt', 'r.canSend'])
    .where('r.workspaceId', '=', workspaceId)
    .where('r.mailboxId', '=', mailboxId)
    .where((is) => is.or([is('r.endsAt', 'is', null), is('r.endsAt', '>', now)]))
    .orderBy('r.createdAt')
    .orderBy('r.userId')
    .execute()

export type ReaderRow = Awaited<ReturnType<typeof findReaders>>[number]

/** Updates the right of an existing reader. */
export const upsertReader = async (db: Db, row: Selectable<MailboxReadersTable>): Promise<void> => {
  const { origin, createdAt, endsAt, canSend } = row
  await db
    .insertInto('mailboxReaders')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .constraint('mailbox_readers_pkey')
        .doUpdateSet({ origin, createdAt, endsAt, canSend }),
    )
    .execute()
}

/** @returns false when there is no such reader; the holder does not count as one. */
export const deleteReader = async (
  db: Db,
  workspaceId: string,
  mailboxId: string,
  userId: string,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('mailboxReaders')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('userId', '=', userId)
    .where('origin', '!=', 'holder')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes rights whose end has passed, and returns them. */
export const deleteEndedReaders = (db: Db, now: Date) =>
  db
    .deleteFrom('mailboxReaders')
    .where('endsAt', '<=', now)
    .returning(['workspaceId', 'mailboxId', 'userId'])
    .execute()

/** Whether the user reads every mailbox that the other one reads. */
export const readsAllOf = async (
  db: Db,
  workspaceId: string,
  { userId, otherId }: { userId: string; otherId: string },
): Promise<boolean> => {
  const unread = await db
    .selectFrom('mailboxReaders as theirs')
    .select('theirs.mailboxId')
    .where('theirs.workspaceId', '=', workspaceId)
    .where('theirs.userId', '=', otherId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mailboxReaders as own')
            .select('own.mailboxId')
            .whereRef('own.mailboxId', '=', 'theirs.mailboxId')
            .where('own.userId', '=', userId),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return unread === undefined
}

/** Ends the rights that exist only because the user made the mailbox. */
export const deleteMakers = async (
  db: Db,
  workspaceId: string,
  mailboxId: string,
): Promise<void> => {
  await db
    .deleteFrom('mailboxReaders')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('origin', '=', 'made')
    .execute()
}

export type EntryRow = Selectable<AccessEntriesTable>

/** Newest first; entries of all mailboxes when no mailbox is given. */
export const readEntries = (
  db: Db,
  workspaceId: string,
  mailboxId: string | null,
  { limit, after }: { limit: number; after: PagePosition | null },
): Promise<EntryRow[]> => {
  let query = db.selectFrom('accessEntries').selectAll().where('workspaceId', '=', workspaceId)
  if (mailboxId !== null) query = query.where('mailboxId', '=', mailboxId)
  if (after) query = query.where(sql<SqlBool>`(at, id) < (${after.at}, ${after.id}::uuid)`)
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}
