/**
 * For later rooms: an event is written in the transaction of what it tells, once for each webhook that wants it. Without such a
 * webhook nothing is written (decision 122).
 */
import { type RawBuilder, sql } from 'kysely'
import {
  TEST_TOPIC,
  type WebhookData,
  type WebhookTopic,
} from '#contract/developers/webhook-topics.ts'
import { storable } from '#server/lib/plain-text.ts'
import type { Db } from '#server/storage/database.ts'
import { WEBHOOKS_CHANNEL } from '#server/storage/notifications.ts'

export type WebhookEvent<Topic extends WebhookTopic = WebhookTopic> = {
  topic: Topic
  workspaceId: string
  /** Events about the same arrive in order: the id of a mailbox, a domain, an invoice or a user. */
  about: string
  at: Date
  data: WebhookData<Topic>
}

/** Within the transaction of the change. */
export const noteEvent = <Topic extends WebhookTopic>(
  db: Db,
  event: WebhookEvent<Topic>,
): Promise<void> => noteEvents(db, [event])

/** The same for many of one topic. */
export const noteEvents = async <Topic extends WebhookTopic>(
  db: Db,
  events: readonly WebhookEvent<Topic>[],
): Promise<void> => {
  if (events.length === 0) return
  const rows = events.map(({ workspaceId: workspace_id, ...event }) => ({ ...event, workspace_id }))
  await sql`
    with hook as (
      insert into webhook_events (webhook_id, workspace_id, topic, about, data, created_at)
      select webhooks.id, webhooks.workspace_id, event.topic, event.about, event.data, event.at
      from jsonb_to_recordset(${asJson(rows)}::jsonb)
        as event (workspace_id uuid, topic text, about uuid, data jsonb, at timestamptz)
      join webhooks on webhooks.workspace_id = event.workspace_id and event.topic = any(topics)
      where off_reason is null
      returning webhook_id, workspace_id, about, created_at
    ), ${openLanes}
    select pg_notify(${WEBHOOKS_CHANNEL}, '') from hook limit 1`.execute(db)
}

/**
 * For the statement that files a message, with its rows `box` and `folder`: no round trip of its own. It wakes no worker, because a
 * notification makes commits wait for each other.
 */
export const mailReceived = ({
  id,
  date,
  sizeBytes,
}: {
  id: string
  date: Date
  sizeBytes: number
}): RawBuilder<unknown> => sql`, hook as (
      insert into webhook_events (webhook_id, workspace_id, topic, about, data, created_at)
      select webhooks.id, box.workspace_id, 'mail.received', box.id, jsonb_build_object('mailboxId', box.id,
        'mailbox', box.email, 'messageId', ${id}::uuid, 'folder', folder.role, 'size', ${sizeBytes}::bigint), ${date}
      from folder, box join webhooks on webhooks.workspace_id = box.workspace_id
      where off_reason is null and 'mail.received' = any(topics)
      returning webhook_id, workspace_id, about, created_at
    ), ${openLanes}`

/** A lane is locked, so that a worker that finds it empty sees the event before it closes the lane. */
const openLanes = sql`lane as (
      insert into webhook_lanes (webhook_id, about, workspace_id, due_at)
      select webhook_id, about, workspace_id, min(created_at) from hook
      group by webhook_id, about, workspace_id order by webhook_id, about
      on conflict on constraint webhook_lanes_pkey do update set about = excluded.about
    )`

/** For one webhook, whatever its topics are. @returns its id; undefined when the webhook is off or has gone */
export const noteTestEvent = async (
  db: Db,
  webhookId: string,
  at: Date,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    with hook as (
      insert into webhook_events (webhook_id, workspace_id, topic, about, data, created_at)
      select id, workspace_id, ${TEST_TOPIC}, id, jsonb_build_object('webhookId', id), ${at}::timestamptz
      from webhooks where id = ${webhookId} and off_reason is null
      returning id, webhook_id, workspace_id, about, created_at
    ), ${openLanes}
    select id, pg_notify(${WEBHOOKS_CHANNEL}, '') from hook`.execute(db)
  return rows[0]?.id
}

/** PostgreSQL takes neither NUL nor half a letter. */
const asJson = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part))

/** Without the secret. */
export const webhookRows = (db: Db) =>
  db.selectFrom('webhooks').select(['id', 'workspaceId', 'url'])
