/** For later rooms: reads deliveries and sets when they are due. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { LOCAL_HOST } from './record-attempt.ts'

export const findOutgoing = (db: Db, workspaceId: string, sentMessageId: string) =>
  db
    .selectFrom('outboxMessages')
    .select(['id', 'createdAt', 'mailFrom', 'blob', 'sizeBytes'])
    .where('sentMessageId', '=', sentMessageId)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()

export const readDeliveries = (db: Db, outboxMessageId: string) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'recipient', 'status', 'nextAttemptAt', 'lastReply', 'finishedAt', 'heldAt'])
    .where('outboxMessageId', '=', outboxMessageId)
    .orderBy('recipient')
    .execute()

export const readAttempts = (db: Db, outboxMessageId: string) =>
  db
    .selectFrom('deliveryAttempts')
    .innerJoin('deliveries', 'deliveries.id', 'deliveryAttempts.deliveryId')
    .select([
      'deliveryAttempts.deliveryId',
      'deliveryAttempts.at',
      'deliveryAttempts.host',
      'deliveryAttempts.isTls',
      'deliveryAttempts.code',
      'deliveryAttempts.reply',
      'deliveryAttempts.outcome',
    ])
    .where('deliveries.outboxMessageId', '=', outboxMessageId)
    .orderBy('deliveryAttempts.at')
    .execute()

export type DeliveryRow = Awaited<ReturnType<typeof readDeliveries>>[number]
export type AttemptRow = Awaited<ReturnType<typeof readAttempts>>[number]

type Place = { workspaceId: string; mailboxId: string }

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

/** Sets the next attempt of a delivery; call in the transaction that settles it. */
export const setNextAttempt = async (
  db: Db,
  deliveryId: string,
  nextAttemptAt: Date,
): Promise<void> => {
  await db.updateTable('deliveries').set({ nextAttemptAt }).where('id', '=', deliveryId).execute()
}

/** Makes queued deliveries due whose last reply is `reason`; `mailboxId` null: those of the whole workspace. */
export const makeHeldDeliveriesDue = async (
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string | null },
  reason: string,
  nextAttemptAt: Date,
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ nextAttemptAt })
    .where('status', '=', 'queued')
    .where('lastReply', '=', reason)
    .where('outboxMessageId', 'in', (of) => {
      const ofWorkspace = of
        .selectFrom('outboxMessages')
        .select('outboxMessages.id')
        .where('outboxMessages.workspaceId', '=', workspaceId)
      return mailboxId === null
        ? ofWorkspace
        : ofWorkspace.where('outboxMessages.mailboxId', '=', mailboxId)
    })
    .execute()
}

/** Blobs of outgoing mail. */
export const outgoingBlobs = (db: Db) => db.selectFrom('outboxMessages').select('blob')

/** Mail on its way out from these mailboxes. */
export const moveOutgoing = async (
  db: Db,
  { from, to }: { from: string; to: string },
  mailboxIds: readonly string[],
): Promise<void> => {
  await sql`
    with sent as (
      update outbox_messages set workspace_id = ${to}
      where workspace_id = ${from} and mailbox_id = any(${[...mailboxIds]}::uuid[])
      returning id
    ), going as (
      update deliveries set workspace_id = ${to}
      from sent where deliveries.outbox_message_id = sent.id
      returning deliveries.id
    )
    update delivery_attempts set workspace_id = ${to}
    from going where delivery_attempts.delivery_id = going.id`.execute(db)
}

/** What servers took of mail from mailboxes. */
export const deliveredRows = (db: Db) =>
  db
    .selectFrom('deliveries')
    .innerJoin('outboxMessages', 'outboxMessages.id', 'deliveries.outboxMessageId')
    .select(['outboxMessages.mailboxId', 'deliveries.recipientDomain', 'deliveries.finishedAt'])
    .where('deliveries.status', '=', 'delivered')

/** What is not delivered yet, by state, with the age of the oldest. Held mail waits for nothing. */
export const readQueueState = (db: Db) =>
  db
    .selectFrom('deliveries')
    .innerJoin('outboxMessages', 'outboxMessages.id', 'deliveries.outboxMessageId')
    .where('deliveries.status', 'in', ['queued', 'sending'])
    .where('outboxMessages.isHeld', '=', false)
    .groupBy('deliveries.status')
    .select(({ fn }) => [
      'deliveries.status',
      fn.countAll<number>().as('count'),
      fn.min('deliveries.createdAt').as('oldestAt'),
    ])
    .execute()
