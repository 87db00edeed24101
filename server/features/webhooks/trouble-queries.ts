/** What is wrong with webhooks, for those who operate the installation. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export type WebhookTrouble = {
  /** Since when an event is due that nobody has tried, although its webhook works. */
  dueSince: Date | null
  /** Switched off since then because nothing arrived, or too much waited. */
  off: number
  offWorkspaces: number
}

export const readWebhookTrouble = async (
  db: Db,
  { now, offSince }: { now: Date; offSince: Date },
): Promise<WebhookTrouble> => {
  const { rows } = await sql<WebhookTrouble>`
    select
      (select min(lane.due_at) from webhooks cross join lateral (
        select due_at from webhook_lanes where webhook_id = webhooks.id order by due_at limit 1
      ) lane where off_reason is null and failures = 0 and lane.due_at <= ${now}) as due_since,
      count(*)::int as off, count(distinct workspace_id)::int as off_workspaces
    from webhooks where off_reason in ('failing', 'full') and off_at > ${offSince}`.execute(db)
  return rows[0] ?? { dueSince: null, off: 0, offWorkspaces: 0 }
}
