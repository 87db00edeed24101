import { sql } from 'kysely'
import type { WorkspaceOrder } from '#contract/operator/workspaces.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { bounceRows, sendingRows } from '#server/features/sending/sent-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type OperatedRow = {
  id: string
  name: string
  createdAt: Date
  endsAt: Date | null
  suspendedAt: Date | null
  suspendedFor: string
  quotaBytes: number
  members: number
  domains: number
  mailboxes: number
  usedBytes: number
  sent: number
  bounced: number
  /** Of all that fit. */
  total: number
}

const orders: Record<WorkspaceOrder, ReturnType<typeof sql>> = {
  name: sql`lower(w.name)`,
  created: sql`w.created_at`,
  mailboxes: sql`mailboxes`,
  storage: sql`"usedBytes"`,
  sent: sql`sent`,
  bounced: sql`bounced`,
}

export type WorkspaceSearch = {
  pattern: string | null
  id: string | null
  only: 'suspended' | 'deleted' | null
  order: WorkspaceOrder
  direction: 'up' | 'down'
  /** Sending is counted from here. */
  since: Date
  offset: number
  limit: number
}

/** Each table is read once, however many workspaces there are. */
export const readOperatedWorkspaces = async (
  db: Db,
  { pattern, id, only, order, direction, since, offset, limit }: WorkspaceSearch,
): Promise<OperatedRow[]> => {
  const wanted = [
    sql`w.ended_at is null`,
    ...(id === null ? [] : [sql`w.id = ${id}`]),
    ...(only === 'suspended' ? [sql`w.suspended_at is not null`] : []),
    ...(only === 'deleted' ? [sql`w.ends_at is not null`] : []),
    ...(pattern === null
      ? []
      : [
          sql`(w.name ilike ${pattern} or w.id in (
            select d.workspace_id from ${domainRows(db)} d where d.name ilike ${pattern}
            union select m.workspace_id from ${memberRows(db)} m join ${userRows(db)} u on u.id = m.user_id
              where u.email ilike ${pattern}))`,
        ]),
  ]
  const { rows } = await sql<OperatedRow>`
    select w.id, w.name, w.created_at as "createdAt", w.ends_at as "endsAt", w.suspended_at as "suspendedAt",
      w.suspended_for as "suspendedFor", w.storage_quota_bytes as "quotaBytes",
      coalesce(p.count, 0) as members, coalesce(d.count, 0) as domains, coalesce(b.count, 0) as mailboxes,
      coalesce(b.bytes, 0) as "usedBytes", coalesce(s.count, 0) as sent, coalesce(f.count, 0) as bounced,
      count(*) over () as total
    from ${workspaceRows(db)} w
      left join (select workspace_id, count(*) from ${memberRows(db)} m group by 1) p on p.workspace_id = w.id
      left join (select workspace_id, count(*) from ${domainRows(db)} d where ends_at is null group by 1) d on d.workspace_id = w.id
      left join (select workspace_id, count(*), sum(used_bytes)::bigint as bytes from ${mailboxRows(db)} b group by 1) b on b.workspace_id = w.id
      left join (select workspace_id, sum(recipients)::bigint as count from ${sendingRows(db)} s where at > ${since} group by 1) s on s.workspace_id = w.id
      left join (select workspace_id, count(*) from ${bounceRows(db)} f where at > ${since} group by 1) f on f.workspace_id = w.id
    where ${sql.join(wanted, sql` and `)}
    order by ${orders[order]} ${direction === 'up' ? sql`asc` : sql`desc`}, w.id
    offset ${offset} limit ${limit}`.execute(db)
  return rows
}

export const readPeople = (db: Db, workspaceId: string) =>
  db
    .selectFrom(memberRows(db).as('m'))
    .innerJoin(userRows(db).as('u'), 'u.id', 'm.userId')
    .select(['m.userId', 'm.role', 'u.firstName', 'u.lastName', 'u.email', 'u.lastLoginAt'])
    .where('m.workspaceId', '=', workspaceId)
    .orderBy('m.role')
    .orderBy('u.email')
    .execute()

type DomainCount = { name: string; isVerified: boolean; isActive: boolean; mailboxes: number }

export const readDomainCounts = async (db: Db, workspaceId: string): Promise<DomainCount[]> => {
  const { rows } = await sql<DomainCount>`
    select d.name, d.is_verified as "isVerified", d.is_active as "isActive", count(b.id) as mailboxes
    from ${domainRows(db)} d left join ${mailboxRows(db)} b on b.domain_id = d.id
    where d.workspace_id = ${workspaceId} and d.ends_at is null
    group by d.id, d.name, d.is_verified, d.is_active order by d.name`.execute(db)
  return rows
}

type SenderCount = { email: string; sent: number; bounced: number }

/** The mailboxes that sent most. */
export const readSenders = async (
  db: Db,
  workspaceId: string,
  since: Date,
  limit: number,
): Promise<SenderCount[]> => {
  const { rows } = await sql<SenderCount>`
    select b.email, coalesce(s.count, 0) as sent, coalesce(f.count, 0) as bounced
    from ${mailboxRows(db)} b
      left join (select mailbox_id, sum(recipients)::bigint as count from ${sendingRows(db)} s
        where workspace_id = ${workspaceId} and at > ${since} group by 1) s on s.mailbox_id = b.id
      left join (select mailbox_id, count(*) from ${bounceRows(db)} f
        where workspace_id = ${workspaceId} and at > ${since} group by 1) f on f.mailbox_id = b.id
    where b.workspace_id = ${workspaceId} and (s.count > 0 or f.count > 0)
    order by sent desc, bounced desc, b.email limit ${limit}`.execute(db)
  return rows
}
