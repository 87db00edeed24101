import { sql } from 'kysely'
import type { WorkspaceOrder } from '#contract/operator/workspaces.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { bounceRows, sendingRows } from '#server/features/sending/sent-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Placed, Range, SortKind, Sought } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { foldedName, type SortKey, sortedBy } from '#server/storage/sorted-rows.ts'

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
}

/** What is counted of each workspace; `only`: of these alone. */
const counts = (db: Db, since: Date, only: readonly string[] | null) => {
  const isOne = only === null ? sql`true` : sql`workspace_id = any(${[...only]}::uuid[])`
  return {
    members: sql`(select workspace_id, count(*) as n from ${memberRows(db)} m where ${isOne} group by 1)`,
    domains: sql`(select workspace_id, count(*) as n from ${domainRows(db)} d where ends_at is null and ${isOne} group by 1)`,
    mailboxes: sql`(select workspace_id, count(*) as n, sum(used_bytes)::bigint as bytes from ${mailboxRows(db)} b
      where ${isOne} group by 1)`,
    sent: sql`(select workspace_id, sum(recipients)::bigint as n from ${sendingRows(db)} s where at > ${since} and ${isOne} group by 1)`,
    bounced: sql`(select workspace_id, count(*) as n from ${bounceRows(db)} f where at > ${since} and ${isOne} group by 1)`,
  }
}

/** Read from its own index, or counted for all workspaces and sorted (decision 111). */
const sortKeys: Record<WorkspaceOrder, SortKey & { counts?: keyof ReturnType<typeof counts> }> = {
  name: { by: foldedName(sql`w.name`), kind: 'text' },
  created: { by: sql`w.created_at`, kind: 'time' },
  mailboxes: { by: sql`coalesce(c.n, 0)`, kind: 'number', counts: 'mailboxes' },
  storage: { by: sql`coalesce(c.bytes, 0)`, kind: 'number', counts: 'mailboxes' },
  sent: { by: sql`coalesce(c.n, 0)`, kind: 'number', counts: 'sent' },
  bounced: { by: sql`coalesce(c.n, 0)`, kind: 'number', counts: 'bounced' },
}

export const workspaceSortKind = (order: WorkspaceOrder): SortKind => sortKeys[order].kind

export type WorkspaceSearch = Sought<WorkspaceOrder> & {
  only: 'suspended' | 'deleted' | null
  /** Sending is counted from here. */
  since: Date
}

/** The rows of a page, in its order. */
export const readWorkspacePage = async (
  db: Db,
  search: WorkspaceSearch,
  range: Range,
): Promise<Placed[]> => (await workspacePageQuery(db, search, range).execute(db)).rows

/** Exported, so that a test can check its query plan. */
export const workspacePageQuery = (db: Db, search: WorkspaceSearch, range: Range) => {
  const key = sortKeys[search.order]
  const sorted = sortedBy(key, sql`w.id`, search.direction, range)
  const counted =
    key.counts === undefined
      ? sql``
      : sql`left join ${counts(db, search.since, null)[key.counts]} c on c.workspace_id = w.id`
  return sql<Placed>`select w.id, ${sorted.value} as "sortValue" from ${workspaceRows(db)} w ${counted}
    where ${isWanted(db, search)} and ${sorted.isBeyond} order by ${sorted.order} limit ${sorted.limit}`
}

export const countWorkspaces = async (db: Db, search: WorkspaceSearch): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${workspaceRows(db)} w where ${isWanted(db, search)}`.execute(db)
  return rows[0]?.count ?? 0
}

const isWanted = (db: Db, { pattern, only }: Pick<WorkspaceSearch, 'pattern' | 'only'>) =>
  sql.join(
    [
      sql`w.ended_at is null`,
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
    ],
    sql` and `,
  )

/** In no order; those that have ended are left out. */
export const readOperatedWorkspaces = async (
  db: Db,
  ids: readonly string[],
  since: Date,
): Promise<OperatedRow[]> => {
  const { members, domains, mailboxes, sent, bounced } = counts(db, since, ids)
  const { rows } = await sql<OperatedRow>`
    select w.id, w.name, w.created_at as "createdAt", w.ends_at as "endsAt", w.suspended_at as "suspendedAt",
      w.suspended_for as "suspendedFor", w.storage_quota_bytes as "quotaBytes",
      coalesce(p.n, 0) as members, coalesce(d.n, 0) as domains, coalesce(b.n, 0) as mailboxes,
      coalesce(b.bytes, 0) as "usedBytes", coalesce(s.n, 0) as sent, coalesce(f.n, 0) as bounced
    from ${workspaceRows(db)} w
      left join ${members} p on p.workspace_id = w.id
      left join ${domains} d on d.workspace_id = w.id
      left join ${mailboxes} b on b.workspace_id = w.id
      left join ${sent} s on s.workspace_id = w.id
      left join ${bounced} f on f.workspace_id = w.id
    where w.id = any(${[...ids]}::uuid[]) and w.ended_at is null`.execute(db)
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
    from ${domainRows(db)} d left join ${mailboxRows(db)} b
      on b.domain_id = d.id and b.workspace_id = d.workspace_id
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
