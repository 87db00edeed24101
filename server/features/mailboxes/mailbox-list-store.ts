/** The list of mailboxes in the database. */
import { type SqlBool, sql } from 'kysely'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxRow } from './mailboxes-store.ts'

export type MailboxFilter = {
  limit: number
  after: PagePosition | null
  /** Part of the address or of the full name; '' for all. */
  text: string
  /** A-labels. */
  domain: string | null
  status: MailboxRow['status'] | null
  readerId: string
  /** Only those whose mail the reader may read, or only the others. */
  isReadable: boolean | null
  /** Nothing else is shown to this reader. */
  onlyReadable: boolean
}

/** Newest first: where each stands, and the size of its signature. */
export const readMailboxPage = async (db: Db, workspaceId: string, filter: MailboxFilter) =>
  mailboxPageQuery(db, workspaceId, filter).execute()

/** Apart, so that a test can ask the database for its plan. */
export const mailboxPageQuery = (db: Db, workspaceId: string, filter: MailboxFilter) => {
  const { after, text, domain, status } = filter
  const mayRead = sql<SqlBool>`exists (
    select from mailbox_readers
    where mailbox_readers.mailbox_id = mailboxes.id and mailbox_readers.user_id = ${filter.readerId})`
  let query = db
    .selectFrom('mailboxes')
    .select(['id', 'createdAt'])
    .select(sql<number>`octet_length(signature)`.as('signatureBytes'))
    .where('workspaceId', '=', workspaceId)
  if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after.at}, ${after.id}::uuid)`)
  if (text !== '')
    query = query.where(
      sql<SqlBool>`email || ' ' || first_name || ' ' || last_name ilike ${contains(text)}`,
    )
  if (domain !== null)
    query = query.where('domainId', 'in', (part) =>
      part
        .selectFrom('domains')
        .select('domains.id')
        .where('domains.workspaceId', '=', workspaceId)
        .where('domains.name', '=', domain),
    )
  if (status !== null) query = query.where('status', '=', status)
  if (filter.onlyReadable || filter.isReadable === true) query = query.where(mayRead)
  if (filter.isReadable === false) query = query.where(({ not }) => not(mayRead))
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(filter.limit)
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Newest first. */
export const readMailboxes = (db: Db, workspaceId: string, ids: string[]): Promise<MailboxRow[]> =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
