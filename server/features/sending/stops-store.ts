/** What was refused for good, and where sending stopped for it. */
import type { Insertable } from 'kysely'
import { LOCAL_HOST } from '#server/features/intake/deliver-locally.ts'
import type { Db } from '#server/storage/database.ts'
import type { BouncesTable, SendingStopsTable } from '#server/storage/rows/sending-tables.ts'

type Place = { workspaceId: string; mailboxId: string }

export const findSender = (db: Db, mailboxId: string) =>
  db
    .selectFrom('mailboxes')
    .select(['workspaceId', 'email'])
    .where('id', '=', mailboxId)
    .executeTakeFirst()

export const insertBounce = async (db: Db, bounce: Insertable<BouncesTable>): Promise<void> => {
  await db
    .insertInto('bounces')
    .values(bounce)
    .onConflict((conflict) => conflict.column('deliveryId').doNothing())
    .execute()
}

export const countBounces = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  after: Date,
): Promise<number> => {
  const { count } = await db
    .selectFrom('bounces')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('at', '>', after)
    .executeTakeFirstOrThrow()
  return count
}

/** Deliveries to others that ended, however; counts no further than `most`. */
export const countEnded = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  { after, queuedAfter, most }: { after: Date; queuedAfter: Date; most: number },
): Promise<number> => {
  const ended = db
    .selectFrom('outboxMessages')
    .innerJoin('deliveries', 'deliveries.outboxMessageId', 'outboxMessages.id')
    .select('deliveries.id')
    .where('outboxMessages.workspaceId', '=', workspaceId)
    .where('outboxMessages.mailboxId', '=', mailboxId)
    .where('outboxMessages.createdAt', '>', queuedAfter)
    .where('deliveries.finishedAt', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveryAttempts')
            .select('deliveryAttempts.id')
            .whereRef('deliveryAttempts.deliveryId', '=', 'deliveries.id')
            .where('deliveryAttempts.host', '=', LOCAL_HOST),
        ),
      ),
    )
    .limit(most)
  const { count } = await db
    .selectFrom(ended.as('ended'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** false when it is stopped already. */
export const insertStop = async (db: Db, stop: Insertable<SendingStopsTable>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sendingStops')
    .values(stop)
    .onConflict((conflict) =>
      conflict.column('mailboxId').where('resumedAt', 'is', null).doNothing(),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The one that holds now. */
export const findStop = (db: Db, { workspaceId, mailboxId }: Place) =>
  stops(db, workspaceId).where('mailboxId', '=', mailboxId).executeTakeFirst()

/** As `findStop`; it does not end before this transaction does. */
export const lockStop = (db: Db, { workspaceId, mailboxId }: Place) =>
  stops(db, workspaceId).where('mailboxId', '=', mailboxId).forShare().executeTakeFirst()

/** One of them, whose own transaction this is. */
export const bringForward = async (
  db: Db,
  deliveryId: string,
  nextAttemptAt: Date,
): Promise<void> => {
  await db.updateTable('deliveries').set({ nextAttemptAt }).where('id', '=', deliveryId).execute()
}

/** Those that hold now, newest first. */
export const readStops = (db: Db, workspaceId: string) =>
  stops(db, workspaceId).orderBy('stoppedAt', 'desc').orderBy('id').execute()

const stops = (db: Db, workspaceId: string) =>
  db
    .selectFrom('sendingStops')
    .select(['mailboxId', 'stoppedAt', 'failed', 'ended', 'example'])
    .where('workspaceId', '=', workspaceId)
    .where('resumedAt', 'is', null)

export type StopRow = NonNullable<Awaited<ReturnType<typeof findStop>>>

export const lastResumedAt = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
): Promise<Date | null> => {
  const row = await db
    .selectFrom('sendingStops')
    .select('resumedAt')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('resumedAt', 'is not', null)
    .orderBy('stoppedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.resumedAt ?? null
}

/** false when it was not stopped. */
export const endStop = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  resumedAt: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('sendingStops')
    .set({ resumedAt })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('resumedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What was held back for `reason` is due. */
export const bringHeldForward = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  reason: string,
  nextAttemptAt: Date,
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ nextAttemptAt })
    .where('status', '=', 'queued')
    .where('lastReply', '=', reason)
    .where('outboxMessageId', 'in', (of) =>
      of
        .selectFrom('outboxMessages')
        .select('outboxMessages.id')
        .where('outboxMessages.workspaceId', '=', workspaceId)
        .where('outboxMessages.mailboxId', '=', mailboxId),
    )
    .execute()
}

export const deleteBounces = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('bounces').where('at', '<', before).execute()
}
