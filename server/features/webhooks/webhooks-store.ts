/** Webhooks, their events and attempts in the database. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { OffReason } from '#contract/developers/webhooks.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import type { WebhookAttemptsTable, WebhooksTable } from '#server/storage/rows/webhook-tables.ts'

export type WebhookRow = Selectable<WebhooksTable>
export type Place = { workspaceId: string; id: string }

export const readWebhooks = (db: Db, workspaceId: string): Promise<WebhookRow[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const findWebhook = (db: Db, { workspaceId, id }: Place): Promise<WebhookRow | undefined> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** One after another, so that two made at once do not pass the limit. */
export const lockWebhooks = async (db: Db, workspaceId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${workspaceId}`}, 0))`.execute(
    db,
  )
}

export const insertWebhook = (db: Db, row: Insertable<WebhooksTable>): Promise<WebhookRow> =>
  db.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()

export const updateWebhook = (
  db: Db,
  { workspaceId, id }: Place,
  change: Updateable<WebhooksTable>,
): Promise<WebhookRow | undefined> =>
  db
    .updateTable('webhooks')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const deleteWebhookRow = async (db: Db, { workspaceId, id }: Place): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const deleteWebhooksOf = async (db: Db, workspaceId: string): Promise<void> => {
  await db.deleteFrom('webhooks').where('workspaceId', '=', workspaceId).execute()
}

/** Its Admins wait to be told. @returns undefined for one that is off already */
export const setOff = (
  db: Db,
  id: string,
  offReason: OffReason,
  offAt: Date,
): Promise<Pick<WebhookRow, 'workspaceId' | 'url'> | undefined> =>
  db
    .updateTable('webhooks')
    .set({ offReason, offAt, isUntold: true })
    .where('id', '=', id)
    .where('offReason', 'is', null)
    .returning(['workspaceId', 'url'])
    .executeTakeFirst()

/** Those that are on. @returns their ids */
export const setOffMadeBy = async (
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  offAt: Date,
): Promise<string[]> => {
  const rows = await db
    .updateTable('webhooks')
    .set({ offReason: 'maker-left', offAt, isUntold: true })
    .where('workspaceId', '=', workspaceId)
    .where('createdBy', '=', userId)
    .where('offReason', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** One whose Admins wait to be told that it is off; they are told with the transaction. */
export const takeUntold = async (db: Db): Promise<WebhookRow | undefined> =>
  db
    .updateTable('webhooks')
    .set({ isUntold: false })
    .where('id', '=', (of) =>
      of
        .selectFrom('webhooks')
        .select('id')
        .where('isUntold', '=', true)
        .orderBy('offAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()

/** The proven addresses of the Admins. */
export const adminEmailsOf = async (db: Db, workspaceId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom(memberRows(db).as('member'))
    .innerJoin(userRows(db).as('person'), 'person.id', 'member.userId')
    .select('person.email')
    .where('member.workspaceId', '=', workspaceId)
    .where('member.role', '=', 'Admin')
    .where('person.verifiedAt', 'is not', null)
    .execute()
  return rows.map(({ email }) => email)
}

export const noteSuccess = async (db: Db, id: string, isSlow: boolean): Promise<void> => {
  await db
    .updateTable('webhooks')
    .set({ failures: 0, failingSince: null, pausedUntil: null, isSlow })
    .where('id', '=', id)
    .execute()
}

/** After `pauseFrom` failures in a row nothing is tried for a while, longer each time, up to ten minutes. */
export const noteFailure = (db: Db, id: string, now: Date, pauseFrom: number) =>
  db
    .updateTable('webhooks')
    .set({
      failures: sql<number>`failures + 1`,
      failingSince: sql<Date>`coalesce(failing_since, ${now})`,
      pausedUntil: sql<Date | null>`case when failures + 1 >= ${pauseFrom} then
        ${now}::timestamptz + make_interval(secs => least(600, 30 * power(2, least(failures + 1 - ${pauseFrom}, 10)))) end`,
    })
    .where('id', '=', id)
    .returning(['failures', 'failingSince'])
    .executeTakeFirst()

/**
 * An event that has ended stays ended: a try that outlived its claim may be recorded after the one that followed it.
 * @returns false: the webhook was deleted meanwhile
 */
export const noteAttempt = async (
  db: Db,
  attempt: Insertable<WebhookAttemptsTable>,
  state: 'waiting' | 'delivered' | 'failed',
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('webhookEvents')
    .set({
      state: sql<typeof state>`case when state = 'waiting' then ${state} else state end`,
      attempts: sql<number>`attempts + 1`,
    })
    .where('id', '=', attempt.eventId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db.insertInto('webhookAttempts').values(attempt).execute()
  return true
}

/** Newest first. */
export const readAttempts = (
  db: Db,
  { workspaceId, id }: Place,
  { after, limit }: { after: PagePosition | null; limit: number },
) =>
  db
    .selectFrom('webhookAttempts as attempt')
    .innerJoin('webhookEvents as event', (on) =>
      on
        .onRef('event.id', '=', 'attempt.eventId')
        .onRef('event.workspaceId', '=', 'attempt.workspaceId'),
    )
    .select(['attempt.id', 'attempt.eventId', 'attempt.at', 'attempt.durationMs'])
    .select(['attempt.status', 'attempt.reason', 'attempt.answer', 'event.topic', 'event.state'])
    .where('attempt.workspaceId', '=', workspaceId)
    .where('attempt.webhookId', '=', id)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(attempt.at, attempt.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('attempt.at', 'desc')
    .orderBy('attempt.id', 'desc')
    .limit(limit)
    .execute()

/** It waits again, as if it were new. undefined: there is no such attempt. */
export const waitAgain = async (db: Db, { workspaceId, id }: Place, attemptId: string) => {
  const { rows } = await sql<{ id: string; about: string }>`
    update webhook_events event set state = 'waiting', attempts = 0 from webhook_attempts attempt
    where attempt.id = ${attemptId} and attempt.webhook_id = ${id} and attempt.workspace_id = ${workspaceId}
      and event.id = attempt.event_id
    returning event.id, event.about`.execute(db)
  return rows[0]
}

/** Webhooks that are on, and for which more events wait than that. */
export const fullWebhooks = async (db: Db, most: number): Promise<string[]> => {
  const { rows } = await sql<{ webhookId: string }>`
    select webhook_id from webhook_events event join webhooks
      on webhooks.id = event.webhook_id and webhooks.workspace_id = event.workspace_id
    where state = 'waiting' and off_reason is null
    group by webhook_id having count(*) > ${most}`.execute(db)
  return rows.map(({ webhookId }) => webhookId)
}

/** Attempts go with their event. */
export const deleteEvents = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('webhookEvents').where('createdAt', '<', before).execute()
}

/** Lanes of webhooks whose events were deleted. Each is locked first, for an event that is being written. */
export const emptyLanes = async (db: Db) => {
  const { rows } = await sql<{ webhookId: string; about: string }>`
    select webhook_id, about from webhook_lanes lane where claim is null and not exists (
      select from webhook_events event where event.webhook_id = lane.webhook_id and event.about = lane.about
        and state = 'waiting')
    limit 10000`.execute(db)
  return rows
}
