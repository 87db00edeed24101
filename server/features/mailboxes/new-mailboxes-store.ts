/** What making a mailbox needs of the database: the places of domains, the rows themselves. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { FolderRole } from '#contract/messages.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import type { DomainsTable } from '#server/storage/rows/domain-tables.ts'
import type { FoldersTable, MailboxesTable } from '#server/storage/rows/mailbox-tables.ts'
import type { MailboxRow } from './mailboxes-store.ts'

export type LockedDomain = Pick<Selectable<DomainsTable>, 'id' | 'name' | 'isVerified' | 'isActive'>

/**
 * The workspace's domains of these names. Until the transaction ends nobody else makes a mailbox in
 * them. Count only after this has answered: a count in the same statement would not see what
 * was made while it waited.
 */
export const lockDomains = async (
  db: Db,
  workspaceId: string,
  names: string[],
): Promise<LockedDomain[]> =>
  db
    .selectFrom('domains')
    .select(['id', 'name', 'isVerified', 'isActive'])
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Mailboxes by domain id; domains without any are absent. */
export const countMailboxes = async (
  db: Db,
  workspaceId: string,
  domainIds: string[],
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('mailboxes')
    .select(({ fn }) => ['domainId', fn.countAll<number>().as('count')])
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', sql<string>`any(${domainIds}::uuid[])`)
    .groupBy('domainId')
    .execute()
  return new Map(rows.map((row) => [row.domainId, row.count]))
}

const standardFolders: readonly { role: FolderRole; name: string }[] = [
  { role: 'inbox', name: 'Inbox' },
  { role: 'sent', name: 'Sent' },
  { role: 'drafts', name: 'Drafts' },
  { role: 'junk', name: 'Junk' },
  { role: 'trash', name: 'Trash' },
  { role: 'archive', name: 'Archive' },
]

/** With the six standard folders each; the reader may read their mail. @returns those whose address was still free. */
export const insertMailboxes = async (
  db: Db,
  readerId: string,
  mailboxes: Insertable<MailboxesTable>[],
): Promise<MailboxRow[]> => {
  const made = await db
    .insertInto('mailboxes')
    .values(mailboxes)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .execute()
  if (made.length === 0) return []
  const folders = made.flatMap(({ id: mailboxId, createdAt }) =>
    standardFolders.map((folder) => ({ ...folder, id: newId(createdAt.getTime()), mailboxId })),
  )
  await insertFolders(db, folders)
  const readers = made.map(({ id: mailboxId, workspaceId, createdAt }) => ({
    mailboxId,
    userId: readerId,
    workspaceId,
    createdAt,
  }))
  await db.insertInto('mailboxReaders').values(readers).execute()
  return made
}

type NewFolder = Pick<Insertable<FoldersTable>, 'id' | 'mailboxId' | 'role' | 'name'>

/** Of a thousand mailboxes they have thirty thousand values: as four arrays they take half the time. */
const insertFolders = async (db: Db, folders: readonly NewFolder[]): Promise<void> => {
  const given = sql<NewFolder>`unnest(
    ${folders.map(({ id }) => id)}::uuid[],
    ${folders.map(({ mailboxId }) => mailboxId)}::uuid[],
    ${folders.map(({ role }) => role)}::text[],
    ${folders.map(({ name }) => name)}::text[])`.as<'given'>(
    sql`given (id, mailbox_id, role, name)`,
  )
  await db
    .insertInto('folders')
    .columns(['id', 'workspaceId', 'mailboxId', 'role', 'name'])
    .expression((from) =>
      from
        .selectFrom(given)
        .innerJoin('mailboxes', 'mailboxes.id', 'given.mailboxId')
        .select([
          'given.id',
          'mailboxes.workspaceId',
          'given.mailboxId',
          'given.role',
          'given.name',
        ]),
    )
    .execute()
}
