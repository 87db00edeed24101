import { sql } from 'kysely'
import type { AccountOrder } from '#contract/operator/accounts.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { mailboxRows, readerRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { operatorRows } from '#server/features/operators/operator-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Placed, Range, SortKind, Sought } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { foldedName, type SortKey, sortedBy } from '#server/storage/sorted-rows.ts'

const sortKeys: Record<AccountOrder, SortKey> = {
  created: { by: sql`u.created_at`, kind: 'time' },
  person: { by: foldedName(sql`u.first_name || ' ' || u.last_name`), kind: 'text' },
  /** Never counts as the longest ago. */
  seen: { by: sql`coalesce(u.last_login_at, 'epoch')`, kind: 'time' },
}

export const accountSortKind = (order: AccountOrder): SortKind => sortKeys[order].kind

export const readAccountPage = async (
  db: Db,
  search: Sought<AccountOrder>,
  range: Range,
): Promise<Placed[]> => (await accountPageQuery(db, search, range).execute(db)).rows

/** Exported, so that a test can check its query plan. */
export const accountPageQuery = (db: Db, search: Sought<AccountOrder>, range: Range) => {
  const sorted = sortedBy(sortKeys[search.order], sql`u.id`, search.direction, range)
  return sql<Placed>`select u.id, ${sorted.value} as "sortValue" from ${userRows(db)} u
    where ${isFound(search.pattern)} and ${sorted.isBeyond} order by ${sorted.order} limit ${sorted.limit}`
}

export const countAccounts = async (db: Db, { pattern }: Sought<AccountOrder>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${userRows(db)} u where ${isFound(pattern)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** In the name or the address. */
const isFound = (pattern: string | null) =>
  pattern === null
    ? sql`true`
    : sql`(u.email ilike ${pattern} or u.first_name || ' ' || u.last_name ilike ${pattern})`

/** In no order. */
export const readAccounts = (db: Db, ids: readonly string[]) =>
  userRows(db).where('id', '=', isOneOf(ids)).execute()

/** The workspaces of these users, oldest membership first. */
export const readPlaces = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom(memberRows(db).as('m'))
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'm.workspaceId')
    .select(['m.userId', 'm.role', 'w.id', 'w.name'])
    .where('m.userId', '=', isOneOf(userIds))
    .orderBy('m.createdAt')
    .execute()

/** The mailboxes that the user reads, by address: at most a hundred. */
export const readMailboxesOf = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom(readerRows(db, now).as('r'))
    .innerJoin(mailboxRows(db).as('b'), (on) =>
      on.onRef('b.id', '=', 'r.mailboxId').onRef('b.workspaceId', '=', 'r.workspaceId'),
    )
    .select(['b.id', 'b.email', 'r.origin'])
    .where('r.userId', '=', userId)
    .orderBy('b.email')
    .limit(100)
    .execute()

export const readOperators = (db: Db, userIds: readonly string[]) =>
  operatorRows(db).where('userId', '=', isOneOf(userIds)).execute()

const isOneOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`
