/** Searches by the text index; with too many hits to sort, scans the mail from the newest on. */
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '#contract/messages.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Database, Db } from '#server/storage/database.ts'
import { type SummaryRow, summaryOfM } from '../message-queries.ts'
import type { Part } from './search-query.ts'

/** With more hits a scan from the newest is faster than sorting, since every few messages one matches. */
const MOST_SORTED = 5_000
/** Characters of a message's text in which a snippet is searched. */
const SNIPPET_TEXT = 20_000
/** Messages of one conversation that its row names, newest first. */
export const MOST_FOUND = 100

/** Words, or a condition. */
export type Choice = { words: string | Part[] } | Partial<Flags> | { folderIds: string[] }

type Flags = {
  isUnread: boolean | null
  isStarred: boolean | null
  hasAttachment: boolean | null
  from: Date | null
  until: Date | null
  /** Bytes. */
  atLeast: number | null
  lessThan: number | null
}

export type SearchRequest = Flags & {
  workspaceId: string
  mailboxId: string
  /** '': the search has no words. */
  tsquery: string
  /** Used instead of `tsquery`: one of each group must match. */
  parts: Part[][] | null
  /** One of each group must hold, too. */
  mixed: Choice[][]
  /** true: the search has only words that must not occur, so nearly all mail matches. */
  isByExclusion: boolean
  folderIds: string[]
  after: PagePosition | null
  limit: number
}

export type FoundRow = SummaryRow & { threadId: string; text: string }
/** The newest found message of a conversation, with all that were found in it. */
export type FoundThreadRow = FoundRow & { found: FoundPart[] }
type FoundPart = {
  id: string
  folderId: string
  from: Person | null
  isRead: boolean
  isStarred: boolean
}

/** Newest first. */
export const searchRows = (db: Db, request: SearchRequest): Promise<FoundRow[]> =>
  withMatches(db, request, (matches) => select(db, request, matches))

/** Each conversation once, at the date of its newest found message; newest first. */
export const searchThreads = (db: Database, request: SearchRequest): Promise<FoundThreadRow[]> =>
  withMatches(db, request, (matches) =>
    typeof matches === 'object'
      ? selectThreads(db, request, sortedThreads(request, matches))
      : db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (tx) =>
            selectThreads(tx, request, await walkedThreads(tx, request, matches)),
          ),
  )

/** Ids of what is found, newest first, without these conversations. */
export const searchIds = (
  db: Db,
  request: SearchRequest,
  exceptThreadIds: readonly string[],
): Promise<{ id: string; date: Date }[]> =>
  withMatches(db, request, async (matches) => {
    const { rows } = await sql<{ id: string; date: Date }>`
      select m.id, m.date ${sourceOf(matches, 'm')}
      where ${sql.join([...conditionsOf(request, matches, 'm'), afterOf(request)], sql` and `)}
        and m.thread_id <> all(${exceptThreadIds}::uuid[])
      order by m.date desc, m.id desc limit ${request.limit}`.execute(db)
    return rows
  })

/** The messages with the words: all, those with these ids, or those whose text matches when it is read. */
type Matches = { ids: string[] } | 'read' | 'all'

const withMatches = async <Row>(
  db: Db,
  request: SearchRequest,
  read: (matches: Matches) => Promise<Row[]>,
): Promise<Row[]> => {
  const condition = matching(request, 't')
  if (condition === null) return read('all')
  if (request.isByExclusion) return read('read')
  const { rows } = await sql<{ id: string }>`
    select t.message_id as id from message_texts t
    where t.workspace_id = ${request.workspaceId} and t.mailbox_id = ${request.mailboxId} and ${condition}
    limit ${MOST_SORTED + 1}`.execute(db)
  if (rows.length === 0) return []
  return read(rows.length <= MOST_SORTED ? { ids: rows.map(({ id }) => id) } : 'read')
}

/** The name of a table in a query; its texts are `m_text` or `n_text`. */
type Alias = 'm' | 'n'

const sourceOf = (matches: Matches, alias: Alias): RawBuilder<unknown> => {
  const [m, t] = [sql.id(alias), sql.id(`${alias}_text`)]
  const texts = sql`join message_texts ${t} on ${t}.message_id = ${m}.id`
  return sql`from messages ${m} ${matches === 'read' ? texts : sql``}`
}

const matching = ({ tsquery, parts }: SearchRequest, table: string): RawBuilder<boolean> | null => {
  if (parts !== null) {
    if (parts.length === 0) return null
    const each = parts.map((group) => hasPart(group, table))
    return sql<boolean>`(${sql.join(each, sql` and `)})`
  }
  return tsquery === '' ? null : sql<boolean>`${sql.id(table)}.search @@ ${tsquery}::tsquery`
}

/** Whether one of the patterns matches. What `head` has of a field is not known, so that the message itself is asked then. */
const hasPart = (parts: readonly Part[], table: string): RawBuilder<boolean> => {
  const t = sql.id(table)
  const each = parts.map(({ field, pattern }) => {
    const inHead = sql`${t}.head like ${pattern}`
    if (field === 'any') return inHead
    return sql`(${inHead} and exists (select from messages mail where mail.id = ${t}.message_id
      and lower(fold_letters(${textOfField[field]})) like ${pattern}))`
  })
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}

const textOfField = {
  subject: sql`mail.subject`,
  from: sql`people_of(mail."from")`,
  to: sql`people_of(mail."to" || mail.cc)`,
}

/** What a message must be, apart from its place in the order. */
const conditionsOf = (request: SearchRequest, matches: Matches, alias: Alias) => {
  const { workspaceId, mailboxId, folderIds, mixed } = request
  const m = sql.id(alias)
  const words = matches === 'read' ? matching(request, `${alias}_text`) : null
  const oneOf = (group: readonly Choice[]) =>
    sql`(${sql.join(
      group.map((choice) => choiceOf(choice, alias)),
      sql` or `,
    )})`
  return [
    among(sql`${m}.workspace_id`, [workspaceId]),
    ...(isByFolder(request, alias)
      ? [sql`${m}.folder_id = ${folderIds[0]}`, among(sql`${m}.mailbox_id`, [mailboxId])]
      : [sql`${m}.mailbox_id = ${mailboxId}`, among(sql`${m}.folder_id`, folderIds)]),
    ...(typeof matches === 'object' ? [sql`${m}.id = any(${matches.ids}::uuid[])`] : []),
    ...flagsOf(request, alias),
    ...mixed.map(oneOf),
    ...(words === null ? [] : [words]),
  ]
}

/** In the order of their dates: of one folder, or of the mailbox, which has indexes of its unread and starred mail, too. */
const isByFolder = ({ folderIds, isUnread, isStarred }: SearchRequest, alias: Alias): boolean =>
  alias === 'm' && folderIds.length === 1 && isUnread !== true && isStarred !== true

/**
 * As `= any`, and no reason to expect fewer messages. PostgreSQL takes a folder, its mailbox and its workspace for independent of
 * each other: by all three it expects a few messages, and would read and sort what it can walk in order.
 */
const among = (column: RawBuilder<unknown>, ids: readonly string[]) =>
  sql`array_position(${[...ids]}::uuid[], ${column}) is not null`

const flagsOf = (flags: Partial<Flags>, alias: Alias): RawBuilder<unknown>[] => {
  const { isUnread = null, isStarred = null, hasAttachment = null } = flags
  const { from = null, until = null, atLeast = null, lessThan = null } = flags
  const m = sql.id(alias)
  return [
    ...(isUnread === null ? [] : [isUnread ? sql`not ${m}.is_read` : sql`${m}.is_read`]),
    ...(isStarred === null ? [] : [isStarred ? sql`${m}.is_starred` : sql`not ${m}.is_starred`]),
    ...(hasAttachment === null ? [] : [sql`${m}.has_attachments = ${hasAttachment}`]),
    ...(from === null ? [] : [sql`${m}.date >= ${from}`]),
    ...(until === null ? [] : [sql`${m}.date < ${until}`]),
    ...(atLeast === null ? [] : [sql`${m}.size_bytes >= ${atLeast}`]),
    ...(lessThan === null ? [] : [sql`${m}.size_bytes < ${lessThan}`]),
  ]
}

const choiceOf = (choice: Choice, alias: Alias): RawBuilder<unknown> => {
  const m = sql.id(alias)
  if ('folderIds' in choice) return sql`${m}.folder_id = any(${choice.folderIds}::uuid[])`
  if (!('words' in choice)) return sql.join(flagsOf(choice, alias), sql` and `)
  const { words } = choice
  const matches =
    typeof words === 'string' ? sql`texts.search @@ ${words}::tsquery` : hasPart(words, 'texts')
  return sql`exists (select from message_texts texts where texts.message_id = ${m}.id and ${matches})`
}

const afterOf = ({ after }: Pick<SearchRequest, 'after'>) =>
  after === null ? sql`true` : sql`(m.date, m.id) < (${after.at}::timestamptz, ${after.id}::uuid)`

const foundColumns = sql`${summaryOfM}, m.thread_id, left(m.search_text, ${SNIPPET_TEXT}::int) as text`

const select = async (db: Db, request: SearchRequest, matches: Matches): Promise<FoundRow[]> => {
  const { rows } = await sql<FoundRow>`
    select ${foundColumns} ${sourceOf(matches, 'm')}
    where ${sql.join([...conditionsOf(request, matches, 'm'), afterOf(request)], sql` and `)}
    order by m.date desc, m.id desc
    limit ${request.limit}`.execute(db)
  return rows
}

type Threads = Record<'hits' | 'page' | 'ofThread', RawBuilder<unknown>>

const selectThreads = async (
  db: Db,
  request: SearchRequest,
  { hits, page, ofThread }: Threads,
): Promise<FoundThreadRow[]> => {
  const { rows } = await sql<FoundThreadRow>`
    with ${hits} page as (${page} limit ${request.limit})
    select ${foundColumns}, each.found
    from page
    join messages m on m.id = page.id and m.workspace_id = ${request.workspaceId}
    cross join lateral (
      select jsonb_agg(jsonb_build_object('id', mail.id, 'folderId', mail.folder_id, 'from', mail."from",
        'isRead', mail.is_read, 'isStarred', mail.is_starred)) as found
      from (
        select n.id, n.folder_id, n."from", n.is_read, n.is_starred ${ofThread}
        order by n.date desc, n.id desc limit ${MOST_FOUND}
      ) as mail
    ) as each
    order by m.date desc, m.id desc`.execute(db)
  return rows
}

/** All hits, read once: there are at most MOST_SORTED. */
const sortedThreads = (request: SearchRequest, matches: Matches): Threads => ({
  hits: sql`hits as materialized (
      select n.id, n.thread_id, n.folder_id, n.date, n."from", n.is_read, n.is_starred ${sourceOf(matches, 'n')}
      where ${sql.join(conditionsOf(request, matches, 'n'), sql` and `)}
    ),`,
  page: sql`select m.id, m.date from (
      select distinct on (thread_id) id, date from hits order by thread_id, date desc, id desc
    ) as m where ${afterOf(request)} order by m.date desc, m.id desc`,
  ofThread: sql`from hits n where n.thread_id = m.thread_id`,
})

/** Hits that are looked at first, for each that the page has; then four times as many, up to MOST_SORTED at once. */
const LOOKED_AT = 3
const MORE = 4

/**
 * Walks the hits, newest first, until the page is full, and keeps those that are the newest hit of their thread. Some at a time: by
 * the limit PostgreSQL sees that it need not read and sort all. `tx`: sees one moment, as the page does that follows.
 */
const walkedThreads = async (
  tx: Db,
  request: SearchRequest,
  matches: Matches,
): Promise<Threads> => {
  const ofThread = sql`${sourceOf(matches, 'n')}
    where ${sql.join(conditionsOf(request, matches, 'n'), sql` and `)} and n.thread_id = m.thread_id`
  const ids: string[] = []
  let { after } = request
  for (
    let some = LOOKED_AT * request.limit;
    ids.length < request.limit;
    some = Math.min(some * MORE, MOST_SORTED)
  ) {
    const { rows } = await sql<{ id: string; date: Date; isNewest: boolean }>`
      select m.id, m.date, m.id = (select n.id ${ofThread} order by n.date desc, n.id desc limit 1) as "isNewest" from (
        select m.id, m.date, m.thread_id ${sourceOf(matches, 'm')}
        where ${sql.join([...conditionsOf(request, matches, 'm'), afterOf({ after })], sql` and `)}
        order by m.date desc, m.id desc limit ${some}
      ) as m order by m.date desc, m.id desc`.execute(tx)
    ids.push(...rows.filter(({ isNewest }) => isNewest).map(({ id }) => id))
    const last = rows.at(-1)
    if (last === undefined || rows.length < some) break
    after = { at: last.date, id: last.id }
  }
  const page = sql`select unnest(${ids.slice(0, request.limit)}::uuid[]) as id`
  return { hits: sql``, page, ofThread }
}
