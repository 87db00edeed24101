/** What the outbox knows of one sent message. */
import type { Db } from '#server/storage/database.ts'

export const findOutgoing = (db: Db, workspaceId: string, sentMessageId: string) =>
  db
    .selectFrom('outboxMessages')
    .select(['id', 'createdAt', 'mailFrom'])
    .where('sentMessageId', '=', sentMessageId)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()

export const readDeliveries = (db: Db, outboxMessageId: string) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'recipient', 'status', 'nextAttemptAt', 'lastReply', 'finishedAt'])
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
