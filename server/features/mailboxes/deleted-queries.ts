/** Deleted mailboxes, which wait for their end, and what ends with them (decision 062). */
import { type RawBuilder, sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxRow } from './mailbox-queries.ts'

/** Those that were deleted by themselves, and not with their domain. */
export const deletedMailboxRows = (db: Db) =>
  db
    .selectFrom('mailboxes')
    .select(['id', 'workspaceId', 'domainId', 'email', 'deletedBy'])
    .select((of) => of.ref('endsAt').$notNull().as('endsAt'))
    .where('endsAt', 'is not', null)
    .where('isDeletedWithDomain', '=', false)

export const readDeletedMailbox = (db: Db, workspaceId: string, id: string) =>
  deletedMailboxRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The caller has locked its domain. */
export const lockDeletedMailbox = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<MailboxRow | undefined> =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .where('endsAt', 'is not', null)
    .where('isDeletedWithDomain', '=', false)
    .forUpdate()
    .executeTakeFirst()

export const mailboxesToEnd = (db: Db, now: Date, limit: number) =>
  deletedMailboxRows(db).where('endsAt', '<=', now).orderBy('endsAt').limit(limit).execute()

type Deleted = { endsAt: Date; deletedBy: string }

/** null: restored. The mailbox is locked. */
export const markMailbox = async (
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  deleted: Deleted | null,
): Promise<void> => {
  await db
    .updateTable('mailboxes')
    .set(deleted ?? { endsAt: null, deletedBy: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Those that were deleted before their domain stay as they are, when it is deleted and when it is restored. All are locked. */
export const markMailboxesOf = async (
  db: Db,
  { workspaceId, id: domainId }: { workspaceId: string; id: string },
  deleted: Deleted | null,
): Promise<void> => {
  await db
    .updateTable('mailboxes')
    .set({
      ...(deleted ?? { endsAt: null, deletedBy: null }),
      isDeletedWithDomain: deleted !== null,
    })
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .where((is) =>
      deleted === null ? is('isDeletedWithDomain', '=', true) : is('endsAt', 'is', null),
    )
    .execute()
}

export type Use = {
  mailboxes: number
  messages: number
  size: number
  /** Holders, and readers beside the makers. */
  people: number
  addresses: number
  /** Open links to set a password. */
  links: number
  /** One of them has or had a message. */
  hadMail: boolean
}

type Scope = { workspaceId: string; domainId?: string; mailboxId?: string }

/** Of all mailboxes of the workspace, or those of one domain, or one: deleted ones are not counted. */
export const readUse = async (db: Db, scope: Scope, now: Date): Promise<Use> => {
  const { workspaceId, domainId, mailboxId } = scope
  const within: RawBuilder<unknown> =
    mailboxId !== undefined
      ? sql`and id = ${mailboxId}`
      : domainId !== undefined
        ? sql`and domain_id = ${domainId}`
        : sql``
  const { rows } = await sql<Use>`
    with chosen as materialized (
      select id, used_bytes from mailboxes where workspace_id = ${workspaceId} and ends_at is null ${within}
    ), filed as (
      select coalesce(sum(message_count), 0)::bigint as messages, coalesce(bool_or(uid_next > 1), false) as had_mail
      from folders where mailbox_id in (select id from chosen)
    )
    select count(*)::int as mailboxes, coalesce(sum(used_bytes), 0)::bigint as size,
      (select messages from filed) as messages, (select had_mail from filed) as had_mail,
      (select count(distinct person)::int from (
        select user_id as person from mailbox_readers
        where mailbox_id in (select id from chosen) and origin <> 'made'
          and (ends_at is null or ends_at > ${now})
        union all select id from ${userRows(db)} users where mailbox_id in (select id from chosen)
      ) people) as people,
      (select count(*)::int from aliases where mailbox_id in (select id from chosen)) as addresses,
      (select count(*)::int from access_links where mailbox_id in (select id from chosen)
        and ended_at is null and expires_at > ${now}) as links
    from chosen`.execute(db)
  const [use] = rows
  if (!use) throw new Error('a count has one row')
  return use
}

/** By domain; of these domains, which were deleted. */
export const countMailboxesDeletedWith = async (
  db: Db,
  workspaceId: string,
  domainIds: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('mailboxes')
    .select(['domainId', ({ fn }) => fn.countAll<number>().as('count')])
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', sql<string>`any(${[...domainIds]}::uuid[])`)
    .where('isDeletedWithDomain', '=', true)
    .groupBy('domainId')
    .execute()
  return new Map(rows.map(({ domainId, count }) => [domainId, count]))
}

/** In all its mailboxes, also in those that wait for their end. */
export const storedMessages = async (db: Db, workspaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('folders')
    .select(sql<number>`coalesce(sum(message_count), 0)::bigint`.as('count'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

/** Of the same. */
export const storedBytes = async (db: Db, workspaceId: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('mailboxes')
    .select(sql<number>`coalesce(sum(used_bytes), 0)::bigint`.as('bytes'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return bytes
}
