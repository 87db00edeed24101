/** Counts a domain's mailboxes and inserts new ones. */
import { type Insertable, sql } from 'kysely'
import type { FolderRole } from '#contract/messages.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { noteEvents } from '#server/features/webhooks/event-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import type { FoldersTable, MailboxesTable } from '#server/storage/rows/mailbox-tables.ts'
import { type MailboxRow, mailboxEvent } from './mailbox-queries.ts'
import { refuseTaken } from './mailboxes-store.ts'

/**
 * Number of mailboxes by domain id, without deleted ones; domains without mailboxes are absent. Call after locking the domains: a count in the locking
 * statement would miss mailboxes that were made while it waited.
 */
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
    .where('endsAt', 'is', null)
    .groupBy('domainId')
    .execute()
  return new Map(rows.map((row) => [row.domainId, row.count]))
}

/** Who has a mailbox in these domains; the oldest one last. */
export const findPeople = (db: Db, workspaceId: string, domainIds: string[]) =>
  db
    .selectFrom('mailboxes')
    .innerJoin(domainRows(db).as('domains'), (on) =>
      on
        .onRef('domains.id', '=', 'mailboxes.domainId')
        .onRef('domains.workspaceId', '=', 'mailboxes.workspaceId'),
    )
    .select(['mailboxes.firstName', 'mailboxes.lastName', 'mailboxes.email'])
    .select('domains.name as domain')
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('mailboxes.domainId', '=', sql<string>`any(${domainIds}::uuid[])`)
    .where('mailboxes.endsAt', 'is', null)
    .orderBy('mailboxes.id', 'desc')
    .execute()

const standardFolders: readonly { role: FolderRole; name: string }[] = [
  { role: 'inbox', name: 'Inbox' },
  { role: 'sent', name: 'Sent' },
  { role: 'drafts', name: 'Drafts' },
  { role: 'junk', name: 'Junk' },
  { role: 'trash', name: 'Trash' },
  { role: 'archive', name: 'Archive' },
]

/**
 * Inserts mailboxes with their six standard folders and this reader. @returns those whose address was still free in the workspace
 * @throws MAILBOX_EXISTS when one is taken outside it
 */
export const insertMailboxes = async (
  db: Db,
  readerId: string,
  mailboxes: Insertable<MailboxesTable>[],
): Promise<MailboxRow[]> => {
  const made = await db
    .insertInto('mailboxes')
    .values(mailboxes)
    .onConflict((conflict) => conflict.constraint('mailboxes_email_key').doNothing())
    .returningAll()
    .execute()
    .catch(refuseTaken('MAILBOX_EXISTS'))
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
  await noteEvents(
    db,
    made.map((row) => mailboxEvent('mailbox.created', row, row.createdAt)),
  )
  return made
}

type NewFolder = Pick<Insertable<FoldersTable>, 'id' | 'mailboxId' | 'role' | 'name'>

/** The folders of 1,000 mailboxes have 30,000 values: as four arrays they take half the time. */
const insertFolders = async (db: Db, folders: readonly NewFolder[]): Promise<void> => {
  const given = sql<NewFolder>`unnest(
    ${folders.map(({ id }) => id)}::uuid[],
    ${folders.map(({ mailboxId }) => mailboxId)}::uuid[],
    ${folders.map(({ role }) => role)}::text[],
    ${folders.map(({ name }) => name)}::text[])`
  await db
    .insertInto('folders')
    .columns(['id', 'workspaceId', 'mailboxId', 'role', 'name'])
    .expression((from) =>
      from
        .selectFrom(given.as<'given'>(sql`given (id, mailbox_id, role, name)`))
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
