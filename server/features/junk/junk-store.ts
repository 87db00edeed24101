import type { JunkModel } from '#server/standards/junk/junk-model.ts'
import type { Db } from '#server/storage/database.ts'

export type MailboxPlace = { workspaceId: string; mailboxId: string }

export const readModel = async (db: Db, place: MailboxPlace): Promise<JunkModel | null> => {
  const row = await db
    .selectFrom('junkModels')
    .select(['counters', 'junkCount', 'goodCount'])
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .executeTakeFirst()
  return row ?? null
}

/** Changes of mail lock the mailbox, so there is no concurrent writer. */
export const writeModel = async (db: Db, place: MailboxPlace, model: JunkModel): Promise<void> => {
  const values = { ...model, counters: Buffer.from(model.counters) }
  await db
    .insertInto('junkModels')
    .values({ ...place, ...values })
    .onConflict((conflict) => conflict.constraint('junk_models_pkey').doUpdateSet(values))
    .execute()
}

/** Ever, even when the sent message was deleted. */
export const hasWrittenTo = async (
  db: Db,
  place: MailboxPlace,
  address: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('correspondents')
    .select('address')
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}
