/** Mailboxes in the database. A tenant's rows are only reached with its workspace. */
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { MailboxesTable } from '#server/storage/rows/mailbox-tables.ts'

export type MailboxRow = Selectable<MailboxesTable>

export const readMailbox = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<MailboxRow | undefined> => oneMailbox(db, workspaceId, id).executeTakeFirst()

/** Until the transaction ends nobody else changes it, deletes it or stores mail in it. */
export const lockMailbox = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<MailboxRow | undefined> => oneMailbox(db, workspaceId, id).forUpdate().executeTakeFirst()

const oneMailbox = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('mailboxes').selectAll().where('workspaceId', '=', workspaceId).where('id', '=', id)

/** Several at once, in the order of their ids, so that two callers never wait for each other in a circle. */
export const lockMailboxes = async (db: Db, workspaceId: string, ids: string[]) =>
  db
    .selectFrom('mailboxes')
    .select(['id', 'email', 'status'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

export const hasMail = async (db: Db, workspaceId: string, mailboxId: string): Promise<boolean> => {
  const found = await db
    .selectFrom('messages')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const endAccessLinks = async (
  db: Db,
  workspaceId: string,
  mailboxId: string,
  endedAt: Date,
): Promise<void> => {
  await db
    .updateTable('accessLinks')
    .set({ endedAt, outcome: 'withdrawn' })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('endedAt', 'is', null)
    .execute()
}

export const updateMailbox = async (
  db: Db,
  workspaceId: string,
  id: string,
  change: Updateable<MailboxesTable>,
): Promise<MailboxRow> =>
  db
    .updateTable('mailboxes')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const activateMailboxes = async (
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<void> => {
  await db
    .updateTable('mailboxes')
    .set({ status: 'active' })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/**
 * Its folders, readers and mail go with it; blobs are left to the sweep. So do its aliases, locked in the order in which
 * `removeDomain` locks those of a domain: one that is both's must not stop both.
 */
export const removeMailbox = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  await lockMailbox(db, workspaceId, id)
  await db
    .selectFrom('aliases')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('mailboxes')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The unique index spoke: somebody else took the address in the meantime. */
export const isTakenAddress = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'mailboxes_email_key'
