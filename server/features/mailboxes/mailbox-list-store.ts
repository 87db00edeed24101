/** The list of mailboxes in the database. */
import { type SqlBool, sql } from 'kysely'
import type { Reach } from '#contract/developers/key-reach.ts'
import type { MailboxSort } from '#contract/mailboxes.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import type { PagePosition, SortPosition } from '#server/lib/page-cursor.ts'
import { literally } from '#server/lib/plain-text.ts'
import type { Db } from '#server/storage/database.ts'
import { type AccessState, isInState } from './access-states-store.ts'
import { isOpenRight, type MailboxRow } from './mailbox-queries.ts'

export type MailboxFilter = MailboxNarrowing & { limit: number; after: PagePosition | null }

export type MailboxNarrowing = {
  /** Words that each stand in the address, the name or the status; '' for all. */
  text: string
  /** A-labels. */
  domain: string | null
  status: MailboxRow['status'] | null
  access: AccessState | null
  id: string | null
  readerId: string
  now: Date
  /** true: only mailboxes whose mail the caller may read; false: only the others; null: both. */
  isReadable: boolean | null
  /** true: the caller may see only mailboxes that they read. */
  onlyReadable: boolean
  /** What the caller's key is narrowed to; null: to nothing. */
  reach: Reach | null
}

/** Newest first: the page position and signature size of each mailbox. */
export const readMailboxPage = async (db: Db, workspaceId: string, filter: MailboxFilter) =>
  mailboxPageQuery(db, workspaceId, filter).execute()

/** Exported, so that a test can check its query plan. */
export const mailboxPageQuery = (db: Db, workspaceId: string, filter: MailboxFilter) => {
  const { after } = filter
  let query = narrowed(db, workspaceId, filter)
    .select(['id', 'createdAt'])
    .select(sql<number>`octet_length(signature)`.as('signatureBytes'))
  if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after.at}, ${after.id}::uuid)`)
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(filter.limit)
}

/**
 * As `readMailboxPage`, sorted by size or by the last sign-in in milliseconds, 0 for never. Sorts what the list is narrowed to,
 * without an index: sizes change with each mail (decision 076).
 */
export const readSortedPage = async (
  db: Db,
  workspaceId: string,
  filter: SortedFilter,
): Promise<(SortPosition & { signatureBytes: number })[]> =>
  sortedPageQuery(db, workspaceId, filter).execute()

export type SortedFilter = MailboxNarrowing & {
  sort: MailboxSort
  limit: number
  after: SortPosition | null
}

/** Exported, so that a test can check its query plan. */
export const sortedPageQuery = (db: Db, workspaceId: string, filter: SortedFilter) => {
  const { sort, after, limit } = filter
  const [order, behind] = sort.startsWith('-')
    ? (['desc', sql`<`] as const)
    : (['asc', sql`>`] as const)
  const rows = narrowed(db, workspaceId, filter)
    .select(['id', 'usedBytes'])
    .select(sql<number>`octet_length(signature)`.as('signatureBytes'))
    .as('rows')
  const value = sort.endsWith('size')
    ? sql<number>`rows.used_bytes`
    : sql<number>`coalesce((extract(epoch from holders.last_login_at) * 1000)::bigint, 0)`
  // PostgreSQL leaves the join out where nothing of it is used.
  let query = db
    .selectFrom(rows)
    .leftJoin(userRows(db).as('holders'), 'holders.mailboxId', 'rows.id')
    .select(['rows.id', value.as('value'), 'rows.signatureBytes'])
  if (after)
    query = query.where(
      sql<SqlBool>`(${value}, rows.id) ${behind} (${after.value}, ${after.id}::uuid)`,
    )
  return query.orderBy(value, order).orderBy('rows.id', order).limit(limit)
}

export const countMailboxRows = async (
  db: Db,
  workspaceId: string,
  filter: MailboxNarrowing,
): Promise<number> => {
  const { count } = await narrowed(db, workspaceId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const narrowed = (db: Db, workspaceId: string, filter: MailboxNarrowing) => {
  const { text, domain, status, id } = filter
  const mayRead = sql<SqlBool>`exists (
    select from mailbox_readers
    where mailbox_readers.mailbox_id = mailboxes.id and mailbox_readers.user_id = ${filter.readerId}
      and ${isOpenRight(filter.now)})`
  let query = db.selectFrom('mailboxes').where('workspaceId', '=', workspaceId)
  // A deleted mailbox can be read until it ends: only those who read it have it in their list.
  if (!filter.onlyReadable && filter.isReadable !== true) query = query.where('endsAt', 'is', null)
  for (const word of text.split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS))
    query = query.where(
      sql<SqlBool>`email || ' ' || first_name || ' ' || last_name || ' ' || status ilike ${`%${literally(word)}%`}`,
    )
  if (domain !== null)
    query = query.where('domainId', 'in', (part) =>
      part
        .selectFrom(domainRows(db).as('domains'))
        .select('domains.id')
        .where('domains.workspaceId', '=', workspaceId)
        .where('domains.name', '=', domain),
    )
  if (id !== null) query = query.where('id', '=', id)
  if (filter.reach !== null) query = query.where(isReached(filter.reach))
  if (status !== null) query = query.where('status', '=', status)
  if (filter.access !== null) query = query.where(isInState(db, filter.access, filter.now))
  if (filter.onlyReadable || filter.isReadable === true) query = query.where(mayRead)
  if (filter.isReadable === false) query = query.where(({ not }) => not(mayRead))
  return query
}

const isReached = ({ domainIds, mailboxIds }: Reach) =>
  sql<SqlBool>`(domain_id = any(${[...domainIds]}::uuid[]) or id = any(${[...mailboxIds]}::uuid[]))`

/** More words say nothing more, and each is read in every row. */
const MOST_WORDS = 10

/** In no order. */
export const readMailboxes = (db: Db, workspaceId: string, ids: string[]): Promise<MailboxRow[]> =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
