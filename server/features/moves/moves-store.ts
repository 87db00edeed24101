/** The rows that belong to a domain, in every table, and their change from one workspace to another. */
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { AccessEntriesTable } from '#server/storage/rows/access-tables.ts'
import type { Tables } from '#server/storage/tables.ts'

type EntryRow = Selectable<AccessEntriesTable>

export type Move = { domainId: string; from: string; to: string }

/** Until the transaction ends nobody else changes the domain or makes a mailbox in it. */
export const lockDomain = (db: Db, workspaceId: string, id: string) =>
  domainOf(db, workspaceId, id).forUpdate().executeTakeFirst()

export const findDomain = (db: Db, workspaceId: string, id: string) =>
  domainOf(db, workspaceId, id).executeTakeFirst()

const domainOf = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('domains')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)

export const hasDomainNamed = async (
  db: Db,
  workspaceId: string,
  name: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('domains')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}

/** In the order of their ids; no mail is filed in them until the transaction ends. */
export const lockMailboxes = (db: Db, workspaceId: string, domainId: string) =>
  mailboxesOf(db, workspaceId, domainId).forUpdate().execute()

export const findMailboxes = (db: Db, workspaceId: string, domainId: string) =>
  mailboxesOf(db, workspaceId, domainId).execute()

const mailboxesOf = (db: Db, workspaceId: string, domainId: string) =>
  db
    .selectFrom('mailboxes')
    .select(['id', 'usedBytes'])
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .orderBy('id')

export const countMessages = async (
  db: Db,
  workspaceId: string,
  domainId: string,
): Promise<number> => {
  const { count } = await db
    .selectFrom('folders')
    .innerJoin('mailboxes', 'mailboxes.id', 'folders.mailboxId')
    .select(sql<number>`coalesce(sum(message_count), 0)::bigint`.as('count'))
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('mailboxes.domainId', '=', domainId)
    .executeTakeFirstOrThrow()
  return count
}

export const countHolders = async (
  db: Db,
  workspaceId: string,
  domainId: string,
): Promise<number> => {
  const { count } = await db
    .selectFrom('users')
    .innerJoin('mailboxes', 'mailboxes.id', 'users.mailboxId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('mailboxes.domainId', '=', domainId)
    .executeTakeFirstOrThrow()
  return count
}

/** Bytes that are free in the workspace; below zero when it is over its quota. */
export const freeBytes = async (db: Db, workspaceId: string): Promise<number> => {
  const { quota, used } = await db
    .selectFrom('workspaces')
    .select((select) => [
      'storageQuotaBytes as quota',
      select
        .selectFrom('mailboxes')
        .select(sql<number>`coalesce(sum(used_bytes), 0)::bigint`.as('used'))
        .whereRef('mailboxes.workspaceId', '=', 'workspaces.id')
        .$asScalar()
        .$notNull()
        .as('used'),
    ])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return quota - used
}

/**
 * Mail on its way out. Outbound workers lock a delivery before the mailbox that its bounce goes to, so this
 * comes before the mailboxes are locked, and once more after it for what was sent meanwhile.
 */
export const moveOutgoing = async (db: Db, { domainId, from, to }: Move): Promise<void> => {
  await sql`
    with sent as (
      update outbox_messages set workspace_id = ${to}
      where workspace_id = ${from}
        and mailbox_id in (select id from mailboxes where domain_id = ${domainId})
      returning id
    ), going as (
      update deliveries set workspace_id = ${to}
      from sent where deliveries.outbox_message_id = sent.id
      returning deliveries.id
    )
    update delivery_attempts set workspace_id = ${to}
    from going where delivery_attempts.delivery_id = going.id`.execute(db)
}

/**
 * What was written down about its mailboxes, deleted ones too, goes where the mail goes: nobody reads it in another
 * workspace and brings it back with an empty log. The lines about moves name the domain and no address; they stay.
 */
export const moveEntries = async (
  db: Db,
  { from, to }: Move,
  domainName: string,
): Promise<void> => {
  await sql`
    update access_entries set workspace_id = ${to}
    where workspace_id = ${from} and split_part(mailbox_email, '@', 2) = ${domainName}`.execute(db)
}

type MoveEntry = Omit<EntryRow, 'mailboxId' | 'reason'> & { kind: 'moved-away' | 'moved-in' }

export const insertMoveEntries = async (db: Db, entries: MoveEntry[]): Promise<void> => {
  const rows = entries.map((entry) => ({ ...entry, mailboxId: null, reason: '' }))
  await db.insertInto('accessEntries').values(rows).execute()
}

/** Whoever is not in the other workspace may no longer read this mail. */
export const moveReaders = async (db: Db, { domainId, from, to }: Move): Promise<void> => {
  await sql`
    delete from mailbox_readers
    where workspace_id = ${from}
      and mailbox_id in (select id from mailboxes where domain_id = ${domainId})
      and user_id not in (select user_id from members where workspace_id = ${to})`.execute(db)
}

/** Whoever signs in with one of these addresses was let in by the workspace that it leaves; nothing of them moves. */
export const endHolders = async (db: Db, { domainId, from }: Move): Promise<void> => {
  const moving = (eb: ExpressionBuilder<Tables, 'users' | 'accessLinks'>) =>
    eb
      .selectFrom('mailboxes')
      .select('mailboxes.id')
      .where('mailboxes.workspaceId', '=', from)
      .where('mailboxes.domainId', '=', domainId)
  await db.deleteFrom('users').where('users.mailboxId', 'in', moving).execute()
  await db
    .deleteFrom('accessLinks')
    .where('accessLinks.workspaceId', '=', from)
    .where('accessLinks.mailboxId', 'in', moving)
    .execute()
}

/** Whoever holds a link to its records got it from the workspace that it leaves. */
export const endDnsLinks = async (db: Db, { domainId, from }: Move): Promise<void> => {
  await db
    .deleteFrom('dnsLinks')
    .where('workspaceId', '=', from)
    .where('domainId', '=', domainId)
    .execute()
}

const tablesOfMailboxes = [
  ...(['mailbox_readers', 'folders', 'messages', 'junk_models', 'picture_senders'] as const),
  ...(['sendings', 'correspondents', 'bounces', 'sending_stops'] as const),
  ...(['vacation_replies', 'vacation_dues', 'vacation_answers', 'mail_exports'] as const),
  ...(['mail_imports', 'mail_import_chunks', 'mail_import_faults'] as const),
  ...(['uploads', 'drafts', 'sends', 'contacts', 'message_texts', 'bulk_changes'] as const),
  'messages_read_in_part' as const,
]
const tablesOfDomains = [
  ...(['domain_records', 'domain_settings', 'domain_keys', 'mailboxes'] as const),
  ...(['missing_proofs', 'domain_claims', 'domain_record_changes'] as const),
  ...(['aliases', 'catch_alls'] as const),
]

/** The domain with all that hangs on it, the mailboxes locked before. */
export const moveRows = async (db: Db, { domainId, from, to }: Move): Promise<void> => {
  await emptyLists(db, { domainId, from, to })
  for (const table of tablesOfMailboxes)
    await sql`
      update ${sql.table(table)} set workspace_id = ${to}
      where workspace_id = ${from}
        and mailbox_id in (select id from mailboxes where domain_id = ${domainId})`.execute(db)
  for (const table of tablesOfDomains)
    await sql`
      update ${sql.table(table)} set workspace_id = ${to}
      where workspace_id = ${from} and domain_id = ${domainId}`.execute(db)
  await sql`
    update domains set workspace_id = ${to}
    where workspace_id = ${from} and id = ${domainId}`.execute(db)
}

/** The lists of conversations: moving the messages fills them again, in the other workspace (migration 0015). */
const emptyLists = async (db: Db, { domainId, from }: Move): Promise<void> => {
  const moving = sql`select folders.id from folders join mailboxes on mailboxes.id = folders.mailbox_id
    where folders.workspace_id = ${from} and mailboxes.domain_id = ${domainId}`
  await sql`delete from conversations where workspace_id = ${from} and folder_id in (${moving})`.execute(
    db,
  )
  await sql`delete from folder_days where folder_id in (${moving})`.execute(db)
}
