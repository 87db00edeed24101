/** Permanent failures, and the mailboxes whose sending is stopped for them. */
import type { Insertable } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type {
  BouncesTable,
  ComplaintsTable,
  SendingStopsTable,
} from '#server/storage/rows/sending-tables.ts'

type Place = { workspaceId: string; mailboxId: string }

export const findSender = (db: Db, mailboxId: string) =>
  mailboxRows(db).where('id', '=', mailboxId).executeTakeFirst()

export const insertBounce = async (db: Db, bounce: Insertable<BouncesTable>): Promise<void> => {
  await db
    .insertInto('bounces')
    .values(bounce)
    .onConflict((conflict) => conflict.constraint('bounces_pkey').doNothing())
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

/** Returns false when the mailbox is already stopped. */
export const insertStop = async (db: Db, stop: Insertable<SendingStopsTable>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sendingStops')
    .values(stop)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** By an operator; a stop that is in force becomes one. */
export const insertOperatorStop = async (
  db: Db,
  stop: Insertable<SendingStopsTable> & { operatorReason: string },
): Promise<void> => {
  // The one that is in force may end between the two.
  while (!(await insertStop(db, stop)) && !(await claimStop(db, stop)));
}

const claimStop = async (
  db: Db,
  { mailboxId, operatorReason }: { mailboxId: string; operatorReason: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('sendingStops')
    .set({ operatorReason, isUntold: true })
    .where('mailboxId', '=', mailboxId)
    .where('resumedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks one as told, before it is told in the same transaction. */
export const takeUntoldStop = (tx: Db) =>
  tx
    .updateTable('sendingStops')
    .set({ isUntold: false })
    .where('id', '=', (of) =>
      of
        .selectFrom('sendingStops')
        .select('id')
        .where('isUntold', '=', true)
        .orderBy('stoppedAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['workspaceId', 'mailboxId', 'operatorReason'])
    .executeTakeFirst()

/** The stop that is in force. */
export const findStop = (db: Db, { workspaceId, mailboxId }: Place) =>
  stops(db, workspaceId).where('mailboxId', '=', mailboxId).executeTakeFirst()

/** Like `findStop`, and the stop cannot end before this transaction does. */
export const lockStop = (db: Db, { workspaceId, mailboxId }: Place) =>
  stops(db, workspaceId).where('mailboxId', '=', mailboxId).forShare().executeTakeFirst()

/** The stops that are in force, newest first. */
export const readStops = (db: Db, workspaceId: string) =>
  stops(db, workspaceId).orderBy('stoppedAt', 'desc').orderBy('id').execute()

const stops = (db: Db, workspaceId: string) =>
  db
    .selectFrom('sendingStops')
    .select(['mailboxId', 'stoppedAt', 'failed', 'ended', 'example', 'operatorReason'])
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

/** Returns false when the mailbox was not stopped, or only an operator may resume it. */
export const endStop = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  resumedAt: Date,
  by: 'admin' | 'operator' = 'admin',
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('sendingStops')
    .set({ resumedAt })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('resumedAt', 'is', null)
    .$if(by === 'admin', (stop) => stop.where('operatorReason', 'is', null))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteBounces = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('bounces').where('at', '<', before).execute()
}

/** @returns false when it is counted already */
export const insertComplaint = async (
  db: Db,
  complaint: Insertable<ComplaintsTable>,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('complaints')
    .values(complaint)
    .onConflict((conflict) => conflict.constraint('complaints_mailbox_id_about_key').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const deleteComplaints = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('complaints').where('at', '<', before).execute()
}
