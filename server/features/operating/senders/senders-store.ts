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
import type { Placed, Range, SortKind, Sought } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { type SortKey, sortedBy } from '#server/storage/sorted-rows.ts'

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

const sortKeys: Record<SenderOrder, SortKey> = {
  complaints: { by: sql`coalesce(c.count, 0)`, kind: 'number' },
  bounced: { by: sql`coalesce(f.count, 0)`, kind: 'number' },
  sent: { by: sql`coalesce(s.count, 0)`, kind: 'number' },
  email: { by: sql`b.email`, kind: 'text' },
}

export const senderSortKind = (order: SenderOrder): SortKind => sortKeys[order].kind

type Search = Sought<SenderOrder> & { since: Date }

/** Each table is read once, however many mailboxes there are. */
const senders = (db: Db, since: Date) => sql`
  ${mailboxRows(db)} b join ${workspaceRows(db)} w on w.id = b.workspace_id
    left join (select mailbox_id, sum(recipients)::bigint as count from ${sendingRows(db)} s where at > ${since} group by 1) s on s.mailbox_id = b.id
    left join (select mailbox_id, count(*) from ${bounceRows(db)} f where at > ${since} group by 1) f on f.mailbox_id = b.id
    left join (select mailbox_id, count(*), (array_agg(distinct reporter))[1:3] as reporters
      from ${complaintRows(db)} c where at > ${since} group by 1) c on c.mailbox_id = b.id
    left join ${stopRows(db)} t on t.mailbox_id = b.id and t.workspace_id = b.workspace_id`

const columns = sql`b.id, b.email, b.workspace_id as "workspaceId", w.name as "workspaceName",
  coalesce(s.count, 0) as sent, coalesce(f.count, 0) as bounced, coalesce(c.count, 0) as complaints,
  coalesce(c.reporters, '{}') as reporters, t.stopped_at as "stoppedAt", t.operator_reason as "stoppedFor"`

const isFound = ({ pattern }: Pick<Search, 'pattern'>) => sql`
  (s.count > 0 or f.count > 0 or c.count > 0 or t.mailbox_id is not null)
  and ${pattern === null ? sql`true` : sql`(b.email ilike ${pattern} or w.name ilike ${pattern})`}`

export const readSenderPage = async (
  db: Db,
  search: Search,
  range: Range,
): Promise<(SenderRow & Placed)[]> => {
  const sorted = sortedBy(sortKeys[search.order], sql`b.id`, search.direction, range)
  const { rows } = await sql<SenderRow & Placed>`
    select ${columns}, ${sorted.value} as "sortValue" from ${senders(db, search.since)}
    where ${isFound(search)} and ${sorted.isBeyond} order by ${sorted.order} limit ${sorted.limit}`.execute(
    db,
  )
  return rows
}

export const countSenders = async (db: Db, search: Search): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${senders(db, search.since)} where ${isFound(search)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether or not it sent anything. */
export const readSender = async (
  db: Db,
  id: string,
  since: Date,
): Promise<SenderRow | undefined> => {
  const { rows } = await sql<SenderRow>`
    select ${columns} from ${senders(db, since)} where b.id = ${id}`.execute(db)
  return rows[0]
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
