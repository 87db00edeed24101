/** What making a mailbox needs of the database: the places of domains, the rows themselves. */
import { sql } from 'kysely'
import type { FolderRole } from '#contract/messages.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxRow } from './mailboxes-store.ts'

export type LockedDomain = { id: string; name: string; isVerified: boolean; isActive: boolean }

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

export type NewMailbox = {
  id: string
  domainId: string
  email: string
  firstName: string
  lastName: string
}

/** What the mailboxes of one call have in common; the signature is sent once, however many they are. */
export type NewMailboxes = {
  workspaceId: string
  signature: string
  status: MailboxRow['status']
  createdAt: Date
  /** May read their mail. */
  readerId: string
}

/** With the six standard folders and a reader each. @returns how many addresses were still free. */
export const insertMailboxes = async (
  db: Db,
  common: NewMailboxes,
  mailboxes: NewMailbox[],
): Promise<number> => {
  const { workspaceId, signature, status, createdAt, readerId } = common
  const made = await sql<{ id: string }>`
    insert into mailboxes
      (id, workspace_id, domain_id, email, first_name, last_name, signature, status, created_at)
    select made.id, ${workspaceId}::uuid, made.domain_id, made.email, made.first_name, made.last_name,
      ${signature}::text, ${status}::text, ${createdAt}::timestamptz
    from unnest(
      ${mailboxes.map((mailbox) => mailbox.id)}::uuid[],
      ${mailboxes.map((mailbox) => mailbox.domainId)}::uuid[],
      ${mailboxes.map((mailbox) => mailbox.email)}::text[],
      ${mailboxes.map((mailbox) => mailbox.firstName)}::text[],
      ${mailboxes.map((mailbox) => mailbox.lastName)}::text[]
    ) as made (id, domain_id, email, first_name, last_name)
    on conflict (email) do nothing
    returning id`.execute(db)
  const ids = made.rows.map((row) => row.id)
  const folders = ids.flatMap((mailboxId) =>
    standardFolders.map((folder) => ({ id: newId(createdAt.getTime()), mailboxId, ...folder })),
  )
  await sql`
    insert into folders (id, workspace_id, mailbox_id, role, name)
    select made.id, ${workspaceId}::uuid, made.mailbox_id, made.role, made.name
    from unnest(
      ${folders.map((folder) => folder.id)}::uuid[],
      ${folders.map((folder) => folder.mailboxId)}::uuid[],
      ${folders.map((folder) => folder.role)}::text[],
      ${folders.map((folder) => folder.name)}::text[]
    ) as made (id, mailbox_id, role, name)`.execute(db)
  await sql`
    insert into mailbox_readers (mailbox_id, user_id, workspace_id, created_at)
    select made.id, ${readerId}::uuid, ${workspaceId}::uuid, ${createdAt}::timestamptz
    from unnest(${ids}::uuid[]) as made (id)`.execute(db)
  return ids.length
}
