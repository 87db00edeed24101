/** What mailboxes have sent to others, and to whom. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { CorrespondentsTable, SendingsTable } from '#server/storage/rows/sending-tables.ts'
import type { Sent, SentAt } from './limits.ts'

/** It is not moved or deleted until the transaction ends. Before the mailbox is locked, as everywhere. */
export const holdWorkspace = (db: Db, workspaceId: string): Promise<{ createdAt: Date }> =>
  db
    .selectFrom('workspaces')
    .select('createdAt')
    .where('id', '=', workspaceId)
    .forKeyShare()
    .executeTakeFirstOrThrow()

export const readWorkspace = (db: Db, workspaceId: string): Promise<{ createdAt: Date }> =>
  db
    .selectFrom('workspaces')
    .select('createdAt')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()

/** Until the transaction ends nobody else sends under this id, of a mailbox or a workspace. */
export const waitForTurn = async (db: Db, id: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mailstead sending ${id}`}, 0))`.execute(
    db,
  )
}

/** Which of these names are proven domains of this workspace. */
export const ownNames = async (db: Db, workspaceId: string, names: string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('domains')
    .select('name')
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .where('isVerified', '=', true)
    .execute()
  return rows.map(({ name }) => name)
}

type Sender = { workspaceId: string; mailboxId: string | null }

/** By the mailbox, or with null by all of the workspace. */
export const sumSent = (db: Db, sender: Sender, after: Date): Promise<Sent> =>
  sentBy(db, sender, after)
    .select([
      sql<number>`coalesce(sum(recipients), 0)::bigint`.as('recipients'),
      sql<number>`coalesce(sum(new_recipients), 0)::bigint`.as('newRecipients'),
    ])
    .executeTakeFirstOrThrow()

/** Oldest first. */
export const listSent = (
  db: Db,
  sender: Sender,
  ownMailboxId: string,
  after: Date,
): Promise<SentAt[]> =>
  sentBy(db, sender, after)
    .select(['at', 'recipients', 'newRecipients'])
    .select(sql<boolean>`mailbox_id is not distinct from ${ownMailboxId}`.as('isOwn'))
    .orderBy('at')
    .execute()

const sentBy = (db: Db, { workspaceId, mailboxId }: Sender, after: Date) => {
  const ofWorkspace = db
    .selectFrom('sendings')
    .where('workspaceId', '=', workspaceId)
    .where('at', '>', after)
  return mailboxId === null ? ofWorkspace : ofWorkspace.where('mailboxId', '=', mailboxId)
}

export const insertSending = async (db: Db, sending: Insertable<SendingsTable>): Promise<void> => {
  await db.insertInto('sendings').values(sending).execute()
}

/** Answers those that were not known before. */
export const addCorrespondents = async (
  db: Db,
  correspondents: Insertable<CorrespondentsTable>[],
): Promise<string[]> => {
  const rows = await db
    .insertInto('correspondents')
    .values(correspondents)
    .onConflict((conflict) => conflict.columns(['mailboxId', 'address']).doNothing())
    .returning('address')
    .execute()
  return rows.map(({ address }) => address)
}

export const deleteSendings = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('sendings').where('at', '<', before).execute()
}

export const deleteSending = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db
    .deleteFrom('sendings')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export const deleteCorrespondents = async (
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
  addresses: readonly string[],
): Promise<void> => {
  await db
    .deleteFrom('correspondents')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('address', '=', sql<string>`any(${[...addresses]}::text[])`)
    .execute()
}
