import { sql } from 'kysely'
import type { MailboxOrder } from '#contract/operator/mailboxes.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { folderRows } from '#server/features/mailboxes/folder-queries.ts'
import {
  aliasRows,
  catchAllRows,
  mailboxRows,
  readerRows,
} from '#server/features/mailboxes/mailbox-queries.ts'
import { appPasswordRows, programUseRows } from '#server/features/programs/program-queries.ts'
import { bounceRows, sendingRows } from '#server/features/sending/sent-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Placed, Range, SortKind, Sought } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { type SortKey, sortedBy } from '#server/storage/sorted-rows.ts'

const sortKeys: Record<MailboxOrder, SortKey> = {
  created: { by: sql`b.created_at`, kind: 'time' },
  address: { by: sql`b.email`, kind: 'text' },
  /** Without an index, since each mail changes it (decision 111). */
  storage: { by: sql`b.used_bytes`, kind: 'number' },
}

export const mailboxSortKind = (order: MailboxOrder): SortKind => sortKeys[order].kind

export const readMailboxPage = async (
  db: Db,
  search: Sought<MailboxOrder>,
  range: Range,
): Promise<Placed[]> => (await mailboxPageQuery(db, search, range).execute(db)).rows

/** Exported, so that a test can check its query plan. */
export const mailboxPageQuery = (db: Db, search: Sought<MailboxOrder>, range: Range) => {
  const sorted = sortedBy(sortKeys[search.order], sql`b.id`, search.direction, range)
  return sql<Placed>`select b.id, ${sorted.value} as "sortValue" from ${mailboxRows(db)} b
    where ${isFound(search.pattern)} and ${sorted.isBeyond} order by ${sorted.order} limit ${sorted.limit}`
}

export const countMailboxes = async (
  db: Db,
  { pattern }: Sought<MailboxOrder>,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${mailboxRows(db)} b where ${isFound(pattern)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** In the address or the name. */
const isFound = (pattern: string | null) =>
  pattern === null
    ? sql`true`
    : sql`(b.email ilike ${pattern} or b.first_name || ' ' || b.last_name ilike ${pattern})`

/** In no order. */
export const readListedMailboxes = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom(mailboxRows(db).as('b'))
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'b.workspaceId')
    .select(['b.id', 'b.email', 'b.firstName', 'b.lastName', 'b.workspaceId', 'b.status'])
    .select(['b.endsAt', 'b.usedBytes', 'b.createdAt', 'w.name as workspaceName'])
    .where('b.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()

export const readHolder = (db: Db, mailboxId: string) =>
  userRows(db).where('mailboxId', '=', mailboxId).executeTakeFirst()

export const readAddressesOf = async (db: Db, mailboxId: string) => {
  const aliases = await aliasRows(db).where('mailboxId', '=', mailboxId).orderBy('email').execute()
  const domains = await db
    .selectFrom(catchAllRows(db).as('c'))
    .innerJoin(domainRows(db).as('d'), (on) =>
      on.onRef('d.id', '=', 'c.domainId').onRef('d.workspaceId', '=', 'c.workspaceId'),
    )
    .select('d.name')
    .where('c.mailboxId', '=', mailboxId)
    .orderBy('d.name')
    .execute()
  return {
    aliases: aliases.map(({ email }) => email),
    catchAllOf: domains.map(({ name }) => name),
  }
}

type Figures = {
  folders: number
  messages: number
  readers: number
  appPasswords: number
  lastProgramUseAt: Date | null
  sent: number
  bounced: number
}

/** Sending since then. */
export const readFigures = async (
  db: Db,
  mailboxId: string,
  now: Date,
  since: Date,
): Promise<Figures> => {
  const { rows } = await sql<Figures>`select
    (select count(*) from ${folderRows(db)} f where mailbox_id = ${mailboxId}) as folders,
    (select coalesce(sum(message_count), 0)::bigint from ${folderRows(db)} f where mailbox_id = ${mailboxId}) as messages,
    (select count(*) from ${readerRows(db, now)} r where mailbox_id = ${mailboxId} and origin <> 'holder') as readers,
    (select count(*) from ${appPasswordRows(db)} p where mailbox_id = ${mailboxId}
      and (expires_at is null or expires_at > ${now})) as "appPasswords",
    (select max(last_at) from ${programUseRows(db)} u where mailbox_id = ${mailboxId}) as "lastProgramUseAt",
    (select coalesce(sum(recipients), 0)::bigint from ${sendingRows(db)} s where mailbox_id = ${mailboxId} and at > ${since}) as sent,
    (select count(*) from ${bounceRows(db)} s where mailbox_id = ${mailboxId} and at > ${since}) as bounced`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a query without a table has one row')
  return row
}
