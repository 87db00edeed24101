import type { JunkModel, Kind } from '#server/standards/junk/junk-model.ts'
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

/** The mailbox's row is locked by whoever changes its mail, so nobody else writes here meanwhile. */
export const writeModel = async (db: Db, place: MailboxPlace, model: JunkModel): Promise<void> => {
  const values = { ...model, counters: Buffer.from(model.counters) }
  await db
    .insertInto('junkModels')
    .values({ ...place, ...values })
    .onConflict((conflict) => conflict.column('mailboxId').doUpdateSet(values))
    .execute()
}

/** What was learnt from is what is stored of the message. */
export const readForLearning = (db: Db, place: MailboxPlace, messageId: string) =>
  db
    .selectFrom('messages')
    .select(['subject', 'from', 'searchText', 'learntAs'])
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('id', '=', messageId)
    .executeTakeFirst()

export const noteLearnt = async (
  db: Db,
  place: MailboxPlace,
  messageId: string,
  learntAs: Kind,
): Promise<void> => {
  await db
    .updateTable('messages')
    .set({ learntAs })
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('id', '=', messageId)
    .execute()
}

/** Ever, also when what was sent is deleted meanwhile. */
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
