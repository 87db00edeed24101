/** The recipients that a mailbox has written to: their mail is not junk for its words alone, and writing to others is limited. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByMailbox } from '#server/storage/move-rows.ts'
import type { CorrespondentsTable } from '#server/storage/rows/sending-tables.ts'

/** Answers those that were not known before. */
export const addCorrespondents = async (
  db: Db,
  correspondents: Insertable<CorrespondentsTable>[],
): Promise<string[]> => {
  const rows = await db
    .insertInto('correspondents')
    .values(correspondents)
    .onConflict((conflict) => conflict.constraint('correspondents_pkey').doNothing())
    .returning('address')
    .execute()
  return rows.map(({ address }) => address)
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

export const moveJunkRows = (db: Db, move: Move): Promise<void> =>
  moveByMailbox(db, move, ['junk_models', 'correspondents'])
