/** Searches by the text index; with too many hits to sort, scans the mail from the newest on. */
import { type RawBuilder, sql } from 'kysely'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import { type SummaryRow, summaryOfM } from './message-queries.ts'

/** With more hits a scan from the newest is faster than sorting, since every few messages one matches. */
const MOST_SORTED = 5_000
/** Characters of a message's text in which a snippet is searched. */
const SNIPPET_TEXT = 20_000

export type SearchRequest = {
  workspaceId: string
  mailboxId: string
  /** '': the search has no words. */
  tsquery: string
  /** LIKE patterns, used instead of `tsquery`. */
  parts: string[] | null
  /** true: the search has only words that must not occur, so nearly all mail matches. */
  isByExclusion: boolean
  folderIds: string[]
  isUnread: boolean | null
  isStarred: boolean | null
  hasAttachment: boolean | null
  from: Date | null
  until: Date | null
  after: PagePosition | null
  limit: number
}

export type FoundRow = SummaryRow & { text: string }

/** Newest first. */
export const searchRows = async (db: Db, request: SearchRequest): Promise<FoundRow[]> => {
  const matches = matching(request)
  if (matches === null) return select(db, request, sql`from messages m`)
  const walked = () => {
    const texts = sql`from messages m join message_texts t on t.message_id = m.id`
    return select(db, request, texts, matches)
  }
  if (request.isByExclusion) return walked()
  const { rows } = await sql<{ id: string }>`
    select t.message_id as id from message_texts t
    where t.workspace_id = ${request.workspaceId} and t.mailbox_id = ${request.mailboxId} and ${matches}
    limit ${MOST_SORTED + 1}`.execute(db)
  if (rows.length === 0) return []
  if (rows.length <= MOST_SORTED) {
    const ids = rows.map(({ id }) => id)
    return select(db, request, sql`from messages m`, sql`m.id = any(${ids}::uuid[])`)
  }
  return walked()
}

const matching = ({ tsquery, parts }: SearchRequest): RawBuilder<boolean> | null => {
  if (parts !== null) {
    const each = parts.map((part) => sql`t.head like ${part}`)
    return sql<boolean>`(${sql.join(each, sql` and `)})`
  }
  return tsquery === '' ? null : sql<boolean>`t.search @@ ${tsquery}::tsquery`
}

const select = async (
  db: Db,
  request: SearchRequest,
  source: RawBuilder<unknown>,
  found?: RawBuilder<unknown>,
): Promise<FoundRow[]> => {
  const { workspaceId, mailboxId, folderIds, isUnread, isStarred, hasAttachment } = request
  const { from, until, after, limit } = request
  const conditions = [
    sql`m.workspace_id = ${workspaceId} and m.mailbox_id = ${mailboxId}`,
    sql`m.folder_id = any(${folderIds}::uuid[])`,
    ...(found ? [found] : []),
    ...(isUnread === null ? [] : [isUnread ? sql`not m.is_read` : sql`m.is_read`]),
    ...(isStarred === null ? [] : [isStarred ? sql`m.is_starred` : sql`not m.is_starred`]),
    ...(hasAttachment === null ? [] : [sql`m.has_attachments = ${hasAttachment}`]),
    ...(from === null ? [] : [sql`m.date >= ${from}`]),
    ...(until === null ? [] : [sql`m.date < ${until}`]),
    ...(after === null
      ? []
      : [sql`(m.date, m.id) < (${after.at}::timestamptz, ${after.id}::uuid)`]),
  ]
  const { rows } = await sql<FoundRow>`
    select ${summaryOfM}, left(m.search_text, ${SNIPPET_TEXT}::int) as text
    ${source}
    where ${sql.join(conditions, sql` and `)}
    order by m.date desc, m.id desc
    limit ${limit}`.execute(db)
  return rows
}
