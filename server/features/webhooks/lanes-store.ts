/** Lanes: where a webhook has events that wait. A worker claims a lane, tries its first event and gives the lane back. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** Among all processes together. */
export const MOST_OF_WEBHOOK = 4
export const MOST_OF_WORKSPACE = 8

/** One round of claims at a time, among all processes: else two would each take what a webhook may have. */
const ROUND_LOCK = 7_620_087

export type Room = {
  /** So many more deliveries. */
  free: number
  /** Of them, so many to receivers that fail or are slow. */
  freeForTedious: number
}

export type ClaimedLane = { webhookId: string; about: string; isTedious: boolean }

/**
 * Claims the lanes that are due longest, in turn by workspace. A claim ends at `until` by itself: the lane is then due again. A
 * webhook that failed last gets one at a time.
 */
export const claimLanes = (
  db: Db,
  { claim, now, until }: { claim: string; now: Date; until: Date },
  { free, freeForTedious }: Room,
): Promise<ClaimedLane[]> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ROUND_LOCK)})`.execute(tx)
    const { rows } = await sql<ClaimedLane>`
      with claimed as (
        select webhook_id, workspace_id, count(*) as many from webhook_lanes
        where claim is not null and due_at > ${now} group by webhook_id, workspace_id
      ), due as (
        select due.*, failures > 0 or is_slow as is_tedious, failures,
          coalesce((select many from claimed where claimed.webhook_id = due.webhook_id), 0)
            + row_number() over (partition by due.webhook_id order by due.due_at) as nth_of_webhook
        from webhooks cross join lateral (
          select webhook_id, about, workspace_id, due_at from webhook_lanes
          where webhook_id = webhooks.id and due_at <= ${now}
          order by due_at limit ${sql.lit(MOST_OF_WEBHOOK)}
        ) due
        where off_reason is null and (paused_until is null or paused_until <= ${now})
      ), allowed as (
        select *, coalesce((select sum(many) from claimed where claimed.workspace_id = due.workspace_id), 0)
          + row_number() over (partition by workspace_id order by nth_of_webhook, due_at) as nth_of_workspace
        from due where nth_of_webhook <= case when failures > 0 then 1 else ${sql.lit(MOST_OF_WEBHOOK)} end
      ), ranked as (
        select *, row_number() over (partition by is_tedious order by nth_of_workspace, due_at) as nth_of_kind
        from allowed where nth_of_workspace <= ${sql.lit(MOST_OF_WORKSPACE)}
      ), chosen as (
        select * from ranked where not is_tedious or nth_of_kind <= ${freeForTedious}
        order by is_tedious, nth_of_workspace, due_at limit ${free}
      )
      update webhook_lanes lane set claim = ${claim}, due_at = ${until} from chosen
      where lane.webhook_id = chosen.webhook_id and lane.about = chosen.about
      returning lane.webhook_id, lane.about, chosen.is_tedious`.execute(tx)
    return rows
  })

/** What a claimed lane has to deliver, with what that needs. */
export type FirstEvent = {
  webhookId: string
  about: string
  workspaceId: string
  url: string
  secretSealed: string
  formerSecretSealed: string | null
  formerUntil: Date | null
  isSlow: boolean
  failures: number
  /** null: the lane is empty. */
  id: string | null
  topic: string
  data: object
  createdAt: Date
  attempts: number
}

export const firstEvents = async (db: Db, claim: string): Promise<FirstEvent[]> => {
  const { rows } = await sql<FirstEvent>`
    select lane.webhook_id, lane.about, lane.workspace_id, url, secret_sealed, former_secret_sealed, former_until, is_slow,
      failures, event.*
    from webhook_lanes lane join webhooks
      on webhooks.id = lane.webhook_id and webhooks.workspace_id = lane.workspace_id
    left join lateral (
      select id, topic, data, created_at, attempts from webhook_events event
      where event.webhook_id = lane.webhook_id and event.about = lane.about and state = 'waiting' order by seq limit 1
    ) event on true
    where claim = ${claim}`.execute(db)
  return rows
}

export type LaneClaim = { webhookId: string; about: string; claim: string }

/** Ends a claim; without effect when it ended before. The lane is locked until the transaction ends. */
export const giveBackLane = async (
  db: Db,
  { webhookId, about, claim }: LaneClaim,
  dueAt: Date,
): Promise<void> => {
  await db
    .updateTable('webhookLanes')
    .set({ claim: null, dueAt })
    .where('webhookId', '=', webhookId)
    .where('about', '=', about)
    .where('claim', '=', claim)
    .execute()
}

/** Of a lane that is locked, so that an event that is being written is seen. */
export const closeEmptyLane = async (
  db: Db,
  { webhookId, about }: Omit<LaneClaim, 'claim'>,
): Promise<void> => {
  await db
    .deleteFrom('webhookLanes')
    .where('webhookId', '=', webhookId)
    .where('about', '=', about)
    .where('claim', 'is', null)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('webhookEvents')
            .select('id')
            .whereRef('webhookEvents.webhookId', '=', 'webhookLanes.webhookId')
            .whereRef('webhookEvents.about', '=', 'webhookLanes.about')
            .where('state', '=', 'waiting'),
        ),
      ),
    )
    .execute()
}

export const lockLane = async (
  db: Db,
  { webhookId, about }: Omit<LaneClaim, 'claim'>,
): Promise<void> => {
  await db
    .selectFrom('webhookLanes')
    .select('dueAt')
    .where('webhookId', '=', webhookId)
    .where('about', '=', about)
    .forUpdate()
    .execute()
}

/** What waits for its next try is tried now. */
export const makeLanesDue = async (
  db: Db,
  webhookId: string,
  now: Date,
  about?: string,
): Promise<void> => {
  await db
    .updateTable('webhookLanes')
    .set({ dueAt: now })
    .where('webhookId', '=', webhookId)
    .where('claim', 'is', null)
    .where('dueAt', '>', now)
    .$if(about !== undefined, (query) => query.where('about', '=', about ?? ''))
    .execute()
}

/** For an event that waits again. */
export const openLane = async (
  db: Db,
  lane: { webhookId: string; about: string; workspaceId: string },
  now: Date,
): Promise<void> => {
  await db
    .insertInto('webhookLanes')
    .values({ ...lane, dueAt: now })
    .onConflict((conflict) =>
      conflict.constraint('webhook_lanes_pkey').doUpdateSet({ about: lane.about }),
    )
    .execute()
  await makeLanesDue(db, lane.webhookId, now, lane.about)
}
