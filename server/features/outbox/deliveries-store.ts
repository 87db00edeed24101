/** Deliveries: each claimed by one worker at a time, with every attempt in the ledger. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { CLAIMERS, type Presence } from '#server/storage/presence.ts'
import type { DeliveriesTable, DeliveryAttemptsTable } from '#server/storage/rows/outbox-tables.ts'

const claimedColumns = [
  'id',
  'outboxMessageId',
  'workspaceId',
  'recipient',
  'recipientDomain',
  'attempts',
  'createdAt',
] as const

export type ClaimedDelivery = Pick<Selectable<DeliveriesTable>, (typeof claimedColumns)[number]>

/** The delivery that is due longest. Rows locked by other workers are skipped. */
export const claimOne = async (
  db: Db,
  claim: { by: number; now: Date; busyDomains: readonly string[] },
): Promise<ClaimedDelivery | undefined> => {
  const { by, now, busyDomains } = claim
  return db
    .updateTable('deliveries')
    .set({ status: 'sending', claimedBy: by })
    .where('id', '=', (find) => {
      const due = find
        .selectFrom('deliveries as due')
        .innerJoin('outboxMessages', 'outboxMessages.id', 'due.outboxMessageId')
        .select('due.id')
        .where('outboxMessages.isHeld', '=', false)
        .where('due.heldAt', 'is', null)
        .where('due.nextAttemptAt', '<=', now)
        .where('due.status', '=', 'queued')
        .orderBy('due.nextAttemptAt')
        .limit(1)
        .forUpdate('due')
        .skipLocked()
      return busyDomains.length === 0 ? due : due.where('recipientDomain', 'not in', busyDomains)
    })
    .returning(claimedColumns)
    .executeTakeFirst()
}

/** Makes deliveries due that are scheduled after `latest`. */
export const makeLateDeliveriesDue = async (db: Db, latest: Date, now: Date): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ nextAttemptAt: now })
    .where('status', '=', 'queued')
    .where('nextAttemptAt', '>', latest)
    .execute()
}

export const claimersOf = async (db: Db): Promise<number[]> => {
  const rows = await db
    .selectFrom('deliveries')
    .select('claimedBy')
    .distinct()
    .where('status', '=', 'sending')
    .execute()
  return rows.flatMap(({ claimedBy }) => claimedBy ?? [])
}

/** Claims whose worker does not hold its lock. */
export const freeClaimers = async (db: Db, claimers: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ claimer: number }>`
    select claimer from unnest(${[...claimers]}::integer[]) claimer
    where not exists (
      select from pg_locks
      where locktype = 'advisory' and classid::bigint = ${CLAIMERS} and objid::bigint = claimer
        and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    )`.execute(db)
  return rows.map(({ claimer }) => claimer)
}

/** Releases nothing when the worker holds its lock again. The transaction holds the lock meanwhile. */
export const releaseOfDead = async (tx: Db, claimer: number): Promise<void> => {
  await tx
    .updateTable('deliveries')
    .set({ status: 'queued', claimedBy: null })
    .where('status', '=', 'sending')
    .where('claimedBy', '=', claimer)
    .where(sql<boolean>`(select pg_try_advisory_xact_lock(${CLAIMERS}, ${claimer}))`)
    .execute()
}

/** Uses the connection that holds the worker's lock: an answer proves that the lock was held. */
export const isClaimed = async (presence: Presence, id: string, by: number): Promise<boolean> => {
  const rows = await presence.ask(
    'is-claimed',
    "select from deliveries where id = $1 and claimed_by = $2 and status = 'sending'",
    [id, by],
  )
  return rows.length > 0
}

export const releaseClaimsBut = async (
  db: Db,
  by: number,
  ids: readonly string[],
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ status: 'queued', claimedBy: null })
    .where('status', '=', 'sending')
    .where('claimedBy', '=', by)
    .where('id', '<>', sql<string>`all(${[...ids]}::uuid[])`)
    .execute()
}

export const releaseClaim = async (db: Db, id: string, by: number): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ status: 'queued', claimedBy: null })
    .where('id', '=', id)
    .where('claimedBy', '=', by)
    .where('status', '=', 'sending')
    .execute()
}

/** Ends a claim. @returns false when another worker holds it: then nothing was changed. */
export const settleDelivery = async (
  db: Db,
  id: string,
  by: number,
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

/** Deliveries of the domain's mailboxes and of aliases under it. Their claims are lost. */
export const failDeliveriesOf = async (
  db: Db,
  { workspaceId, name, mailboxIds }: SendingDomain,
  lastReply: string,
  finishedAt: Date,
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({ status: 'failed', lastReply, finishedAt, claimedBy: null })
    .where('status', 'in', ['queued', 'sending'])
    .where('outboxMessageId', 'in', (of) =>
      of
        .selectFrom('outboxMessages')
        .select('outboxMessages.id')
        .where('outboxMessages.mailboxId', '=', sql<string>`any(${[...mailboxIds]}::uuid[])`)
        .union(
          of
            .selectFrom('outboxMessages')
            .select('outboxMessages.id')
            .where('outboxMessages.workspaceId', '=', workspaceId)
            .where(sql<boolean>`split_part(mail_from, '@', 2) = ${name}`),
        ),
    )
    .execute()
}

/** A domain whose outgoing mail is moved: sent by its mailboxes, or by other mailboxes with an alias under it. */
export type SendingDomain = { workspaceId: string; name: string; mailboxIds: readonly string[] }
