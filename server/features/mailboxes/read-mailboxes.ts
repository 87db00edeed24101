/** Reads one mailbox or the list. Callers without the right to see all mailboxes see those that they read. */
import { AppError, invalidField } from '#contract/errors.ts'
import type {
  countMailboxes as countMailboxesRoute,
  ListedMailbox,
  listMailboxes as listMailboxesRoute,
  Mailbox,
} from '#contract/mailboxes.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { readSortCursor, type SortPosition, sortCursorAt } from '#server/lib/page-cursor.ts'
import { domainOf, domainToAscii } from '#server/standards/address.ts'
import { type AccessStateRow, readAccessStates } from './access-states-store.ts'
import {
  countMailboxRows,
  type MailboxNarrowing,
  readMailboxes,
  readMailboxPage,
  readSortedPage,
} from './mailbox-list-store.ts'
import { type MailboxRow, readMailbox } from './mailbox-queries.ts'

/** Ends a page early when its signatures, which may contain images, are larger than this together. */
const MAX_SIGNATURE_BYTES = 8_000_000

export const getMailbox = async (app: App, who: Who, id: string): Promise<Mailbox> => {
  const row = isId(id) ? await readMailbox(app.db, who.workspaceId, id) : undefined
  if (!row) throw new AppError('NOT_EXISTS')
  return toMailbox(row)
}

/** Newest first, unless sorted. A page may be shorter than `limit`: it is the last one when `nextCursor` is null. */
export const listMailboxes = async (
  app: App,
  who: Who,
  query: Input<typeof listMailboxesRoute>['query'],
): Promise<Output<typeof listMailboxesRoute>> => {
  const { ids, nextCursor } = await findPage(app, who, query)
  if (ids.length === 0) return { items: [], nextCursor }
  const mailboxes = await readMailboxes(app.db, who.workspaceId, ids)
  const byId = new Map(mailboxes.map((row) => [row.id, row]))
  const states = await readAccessStates(app.db, who.workspaceId, ids, app.clock.now())
  const rows = ids.flatMap((id) => byId.get(id) ?? [])
  const items = rows.map((row) => ({
    ...toMailbox(row),
    usedBytes: row.usedBytes,
    access: accessOf(states.get(row.id), memberCan(who.role, 'set-up-access')),
  }))
  return { items, nextCursor }
}

type Page = { ids: string[]; nextCursor: string | null }

/** The mailboxes of a page, in its order. @throws VALIDATION at `cursor` */
const findPage = async (
  app: App,
  who: Who,
  query: Input<typeof listMailboxesRoute>['query'],
): Promise<Page> => {
  const { sort, cursor } = query
  const after = cursor === undefined ? null : readSortCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const filter = { limit: query.limit + 1, ...narrowingOf(app, who, query) }
  const rows =
    sort === undefined
      ? await newestPage(app, who, { ...filter, after })
      : await readSortedPage(app.db, who.workspaceId, { ...filter, sort, after })
  const shown = rows.slice(0, countWithin(rows, query.limit))
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  return { ids: shown.map(({ id }) => id), nextCursor: last ? sortCursorAt(last) : null }
}

type NewestFilter = MailboxNarrowing & { limit: number; after: SortPosition | null }

const newestPage = async (app: App, who: Who, { after, ...filter }: NewestFilter) => {
  const from = after && { at: new Date(after.value), id: after.id }
  const rows = await readMailboxPage(app.db, who.workspaceId, { ...filter, after: from })
  return rows.map(({ createdAt, ...row }) => ({ ...row, value: createdAt.getTime() }))
}

export const countMailboxes = async (
  app: App,
  who: Who,
  query: Input<typeof countMailboxesRoute>['query'],
): Promise<Output<typeof countMailboxesRoute>> => ({
  count: await countMailboxRows(app.db, who.workspaceId, narrowingOf(app, who, query)),
})

/** The nil UUID (RFC 9562 section 5.9), which no mailbox has. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

const narrowingOf = (
  app: App,
  who: Who,
  query: Input<typeof countMailboxesRoute>['query'],
): MailboxNarrowing => ({
  text: query.q?.trim() ?? '',
  domain: query.domain === undefined ? null : (domainToAscii(query.domain) ?? ''),
  status: query.status ?? null,
  access: query.access ?? null,
  id: query.id === undefined ? null : isId(query.id) ? query.id : NO_ID,
  now: app.clock.now(),
  readerId: who.userId,
  isReadable: query.readable === undefined ? null : query.readable === 'true',
  onlyReadable: !memberCan(who.role, 'see-mailboxes'),
  reach: who.reach ?? null,
})

/** Without a row, the mailbox was deleted in the meantime. Only callers who may make a link hear of links. */
const accessOf = (row: AccessStateRow | undefined, seesLinks: boolean): ListedMailbox['access'] => {
  const state = row?.state ?? 'none'
  return {
    state: !seesLinks && ['link', 'expired'].includes(state) ? 'none' : state,
    name: row?.name ?? '',
    readers: row?.readers ?? 0,
    lastLoginAt: row?.lastLoginAt?.toISOString() ?? null,
    linkMailedTo: seesLinks ? (row?.linkMailedTo ?? null) : null,
  }
}

const countWithin = (rows: { signatureBytes: number }[], limit: number): number => {
  let bytes = 0
  const tooLarge = rows.findIndex((row, index) => {
    bytes += row.signatureBytes
    return index > 0 && bytes > MAX_SIGNATURE_BYTES
  })
  return tooLarge === -1 ? limit : Math.min(limit, tooLarge)
}

export const toMailbox = (row: MailboxRow): Mailbox => ({
  _id: row.id,
  firstName: row.firstName,
  lastName: row.lastName,
  fullName: `${row.firstName} ${row.lastName}`,
  email: row.email,
  domain: domainOf(row.email),
  signature: row.signature,
  status: row.status,
  ...(row.isOverdue && { isOverdue: true }),
  ...(row.endsAt && { endsAt: row.endsAt.toISOString() }),
})
