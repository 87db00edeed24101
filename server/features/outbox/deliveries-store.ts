/** Deliveries: claimed by one worker at a time, each attempt in the ledger. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { DeliveryAttemptsTable } from '#server/storage/tables.ts'

export type ClaimedDelivery = {
  id: string
  outboxMessageId: string
  workspaceId: string | null
  recipient: string
  recipientDomain: string
  attempts: number
  createdAt: Date
}

const claimedColumns = [
  'id',
  'outboxMessageId',
  'workspaceId',
  'recipient',
  'recipientDomain',
  'attempts',
  'createdAt',
] as const

/** The one that is due longest; a claim that ran out is due again. Other workers' rows are skipped, not waited for. */
export const claimOne = async (
  db: Db,
  claim: { by: string; now: Date; until: Date; busyDomains: readonly string[] },
): Promise<ClaimedDelivery | undefined> => {
  const { by, now, until, busyDomains } = claim
  return db
    .updateTable('deliveries')
    .set({ status: 'sending', claimedBy: by, claimedUntil: until })
    .where('id', '=', (find) => {
      const due = find
        .selectFrom('deliveries as due')
        .innerJoin('outboxMessages', 'outboxMessages.id', 'due.outboxMessageId')
        .select('due.id')
        .where('outboxMessages.isHeld', '=', false)
        .where('due.nextAttemptAt', '<=', now)
        .where('due.status', 'in', ['queued', 'sending'])
        .where((is) => is.or([is('due.status', '=', 'queued'), is('due.claimedUntil', '<', now)]))
        .orderBy('due.nextAttemptAt')
        .limit(1)
        .forUpdate('due')
        .skipLocked()
      return busyDomains.length === 0 ? due : due.where('recipientDomain', 'not in', busyDomains)
    })
    .returning(claimedColumns)
    .executeTakeFirst()
}

export const extendClaims = async (
  db: Db,
  by: string,
  ids: readonly string[],
  until: Date,
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ claimedUntil: until })
    .where('id', 'in', ids)
    .where('claimedBy', '=', by)
    .where('status', '=', 'sending')
    .execute()
}

export const claimersOf = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('deliveries')
    .select('claimedBy')
    .distinct()
    .where('status', '=', 'sending')
    .execute()
  return rows.flatMap(({ claimedBy }) => claimedBy ?? [])
}

export const releaseClaims = async (db: Db, by: readonly string[]): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ status: 'queued', claimedBy: null, claimedUntil: null })
    .where('status', '=', 'sending')
    .where('claimedBy', 'in', by)
    .execute()
}

export const releaseClaim = async (db: Db, id: string, by: string): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ status: 'queued', claimedBy: null, claimedUntil: null })
    .where('id', '=', id)
    .where('claimedBy', '=', by)
    .where('status', '=', 'sending')
    .execute()
}

/** Ends a claim. @returns false when the claim was lost to another worker: then nothing was changed. */
export const settleDelivery = async (
  db: Db,
  id: string,
  by: string,
  change: {
    status: 'queued' | 'delivered' | 'failed'
    nextAttemptAt?: Date
    lastReply: string
    finishedAt: Date | null
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set((set) => ({
      ...change,
      attempts: set('attempts', '+', 1),
      claimedBy: null,
      claimedUntil: null,
    }))
    .where('id', '=', id)
    .where('claimedBy', '=', by)
    .where('status', '=', 'sending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const insertAttempts = async (
  db: Db,
  attempts: readonly Insertable<DeliveryAttemptsTable>[],
): Promise<void> => {
  if (attempts.length === 0) return
  await db
    .insertInto('deliveryAttempts')
    .values([...attempts])
    .execute()
}

export const readOutboxMessage = (db: Db, id: string) =>
  db.selectFrom('outboxMessages').selectAll().where('id', '=', id).executeTakeFirst()

/** Of its mailboxes, and sent as an alias under it. Whoever has claimed one of them has lost the claim. */
export const failDeliveriesOf = async (
  db: Db,
  domainId: string,
  lastReply: string,
  finishedAt: Date,
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ status: 'failed', lastReply, finishedAt, claimedBy: null, claimedUntil: null })
    .where('status', 'in', ['queued', 'sending'])
    .where('outboxMessageId', 'in', (of) =>
      of
        .selectFrom('outboxMessages')
        .innerJoin('mailboxes', 'mailboxes.id', 'outboxMessages.mailboxId')
        .select('outboxMessages.id')
        .where('mailboxes.domainId', '=', domainId)
        .union(
          of
            .selectFrom('outboxMessages')
            .innerJoin('domains', 'domains.workspaceId', 'outboxMessages.workspaceId')
            .select('outboxMessages.id')
            .where('domains.id', '=', domainId)
            .whereRef(sql`split_part(mail_from, '@', 2)`, '=', 'domains.name'),
        ),
    )
    .execute()
}
