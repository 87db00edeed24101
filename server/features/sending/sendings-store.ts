/** Counts of messages that mailboxes sent to recipients outside the workspace. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { SendingsTable } from '#server/storage/rows/sending-tables.ts'
import type { Sent, SentAt } from './limits.ts'

/** Locks sending of this mailbox or workspace until the transaction ends. */
export const waitForTurn = async (db: Db, id: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mailstead sending ${id}`}, 0))`.execute(
    db,
  )
}

type Sender = { workspaceId: string; mailboxId: string | null }

/** Sent by the mailbox; with `mailboxId` null by all of the workspace. */
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
