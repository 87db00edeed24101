import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type {
  DeliveriesTable,
  OutboxMessagesTable,
  SystemKeysTable,
} from '#server/storage/rows/outbox-tables.ts'

export type OutboxMessage = Selectable<OutboxMessagesTable>

export const insertOutboxMessage = async (
  db: Db,
  message: Insertable<OutboxMessagesTable>,
  deliveries: readonly Insertable<DeliveriesTable>[],
): Promise<void> => {
  await db.insertInto('outboxMessages').values(message).execute()
  await db
    .insertInto('deliveries')
    .values([...deliveries])
    .execute()
}

/** @returns false when one of its deliveries was claimed or tried: then nothing was changed. */
export const deleteWaiting = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const deliveries = await db
    .selectFrom('deliveries')
    .select(['status', 'attempts'])
    .where('outboxMessageId', '=', id)
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .execute()
  const isWaiting = deliveries.every(
    ({ status, attempts }) => status === 'queued' && attempts === 0,
  )
  if (deliveries.length === 0 || !isWaiting) return false
  await db
    .deleteFrom('outboxMessages')
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .execute()
  return true
}

export const heldMessages = (db: Db, limit: number) =>
  db
    .selectFrom('outboxMessages')
    .innerJoin('deliveries', 'deliveries.outboxMessageId', 'outboxMessages.id')
    .select([
      'outboxMessages.id',
      'outboxMessages.blob',
      'outboxMessages.createdAt',
      'deliveries.recipient',
    ])
    .where('outboxMessages.isHeld', '=', true)
    .orderBy('outboxMessages.createdAt', 'desc')
    .limit(limit)
    .execute()

/** The domain's newest DKIM key. */
export const findSystemKey = (db: Db, domain: string) =>
  db
    .selectFrom('systemKeys')
    .selectAll()
    .where('domain', '=', domain)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The first of two concurrent inserts wins. */
export const insertSystemKey = async (db: Db, key: Insertable<SystemKeysTable>): Promise<void> => {
  await db
    .insertInto('systemKeys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const deleteFinished = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('outboxMessages')
    .where('createdAt', '<', before)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.outboxMessageId', '=', 'outboxMessages.id')
            .where((either) =>
              either.or([
                either('deliveries.finishedAt', 'is', null),
                either('deliveries.finishedAt', '>=', before),
              ]),
            ),
        ),
      ),
    )
    .execute()
}
