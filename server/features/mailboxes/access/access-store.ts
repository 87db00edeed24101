/** Who gets into a mailbox, in the database. A tenant's rows are only reached with its workspace. */
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import type { AccessEntriesTable, MailboxReadersTable } from '#server/storage/rows/access-tables.ts'

const columns = ['id', 'workspaceId', 'email', 'firstName', 'lastName', 'status'] as const

export const findMailbox = (db: Db, workspaceId: string, id: string) =>
  mailbox(db, workspaceId, id).executeTakeFirst()

/** Until the transaction ends nobody else changes its access, suspends or deletes it. */
export const lockMailbox = (db: Db, workspaceId: string, id: string) =>
  mailbox(db, workspaceId, id).forUpdate().executeTakeFirst()

const mailbox = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('mailboxes')
    .select(columns)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)

export type MailboxRow = NonNullable<Awaited<ReturnType<typeof findMailbox>>>

/** Oldest right first. */
export const findReaders = (db: Db, workspaceId: string, mailboxId: string) =>
  db
    .selectFrom('mailboxReaders as r')
    .innerJoin('users as u', 'u.id', 'r.userId')
    .select(['r.userId', 'r.origin', 'r.createdAt', 'u.firstName', 'u.lastName', 'u.email'])
    .select('u.lastLoginAt')
    .where('r.workspaceId', '=', workspaceId)
    .where('r.mailboxId', '=', mailboxId)
    .orderBy('r.createdAt')
    .orderBy('r.userId')
    .execute()

export type ReaderRow = Awaited<ReturnType<typeof findReaders>>[number]

/** Whoever reads it already does so for this reason from now on. */
export const upsertReader = async (db: Db, row: Selectable<MailboxReadersTable>): Promise<void> => {
  const { origin, createdAt } = row
  await db
    .insertInto('mailboxReaders')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['mailboxId', 'userId']).doUpdateSet({ origin, createdAt }),
    )
    .execute()
}

/** @returns false when there is no such reader; the holder is none. */
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

/** Whoever made the mailbox had a right that nobody wrote down. */
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

export const findMember = (db: Db, workspaceId: string, userId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select(['users.id', 'users.firstName', 'users.lastName', 'users.email', 'members.role'])
    .where('members.workspaceId', '=', workspaceId)
    .where('members.userId', '=', userId)
    .executeTakeFirst()

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findMember>>>

export type EntryRow = Selectable<AccessEntriesTable>

export const insertEntry = async (db: Db, entry: EntryRow): Promise<void> => {
  await db.insertInto('accessEntries').values(entry).execute()
}

/** Newest first; of all mailboxes when none is named. */
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
