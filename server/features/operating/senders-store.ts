import { sql } from 'kysely'
import type { SenderOrder } from '#contract/operator/senders.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import {
  bounceRows,
  complaintRows,
  sendingRows,
  stopRows,
} from '#server/features/sending/sent-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type SenderRow = {
  id: string
  email: string
  workspaceId: string
  workspaceName: string
  sent: number
  bounced: number
  complaints: number
  reporters: string[]
  stoppedAt: Date | null
  stoppedFor: string | null
}

const orders: Record<SenderOrder, ReturnType<typeof sql>> = {
  complaints: sql`complaints`,
  bounced: sql`bounced`,
  sent: sql`sent`,
  email: sql`b.email`,
}

export type SenderSearch = {
  pattern: string | null
  /** One of it alone, whether or not it sent anything. */
  id: string | null
  order: SenderOrder
  direction: 'up' | 'down'
  since: Date
  offset: number
  limit: number
}

/** Each table is read once, however many mailboxes there are. */
export const readOperatedSenders = async (
  db: Db,
  { pattern, id, order, direction, since, offset, limit }: SenderSearch,
): Promise<SenderRow[]> => {
  const wanted =
    id === null
      ? sql`(s.count > 0 or f.count > 0 or c.count > 0 or t.mailbox_id is not null)`
      : sql`b.id = ${id}`
  const found =
    pattern === null ? sql`true` : sql`(b.email ilike ${pattern} or w.name ilike ${pattern})`
  const { rows } = await sql<SenderRow>`
    select b.id, b.email, b.workspace_id as "workspaceId", w.name as "workspaceName",
      coalesce(s.count, 0) as sent, coalesce(f.count, 0) as bounced, coalesce(c.count, 0) as complaints,
      coalesce(c.reporters, '{}') as reporters, t.stopped_at as "stoppedAt", t.operator_reason as "stoppedFor"
    from ${mailboxRows(db)} b join ${workspaceRows(db)} w on w.id = b.workspace_id
      left join (select mailbox_id, sum(recipients)::bigint as count from ${sendingRows(db)} s where at > ${since} group by 1) s on s.mailbox_id = b.id
      left join (select mailbox_id, count(*) from ${bounceRows(db)} f where at > ${since} group by 1) f on f.mailbox_id = b.id
      left join (select mailbox_id, count(*), (array_agg(distinct reporter))[1:3] as reporters
        from ${complaintRows(db)} c where at > ${since} group by 1) c on c.mailbox_id = b.id
      left join ${stopRows(db)} t on t.mailbox_id = b.id
    where ${wanted} and ${found}
    order by ${orders[order]} ${direction === 'up' ? sql`asc` : sql`desc`}, bounced desc, sent desc, b.id
    offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** How many recipients outside each mailbox wrote to, of those with `least` and more that are not stopped; the most first. */
export const readFastest = async (
  db: Db,
  { since, least }: { since: Date; least: number },
): Promise<number[]> => {
  const { rows } = await sql<{ sent: number }>`
    select sum(recipients)::bigint as sent from ${sendingRows(db)} s
    where at > ${since} and mailbox_id is not null
      and not exists (select from ${stopRows(db)} t where t.mailbox_id = s.mailbox_id)
    group by mailbox_id having sum(recipients) >= ${least} order by 1 desc`.execute(db)
  return rows.map(({ sent }) => sent)
}
