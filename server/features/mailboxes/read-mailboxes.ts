/** One mailbox, and the list of them. Who has no right to see all sees those whose mail they may read. */
import { AppError, invalidField } from '#contract/errors.ts'
import type { listMailboxes as listMailboxesRoute, Mailbox } from '#contract/mailboxes.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { domainOf, domainToAscii } from '#server/standards/address.ts'
import { readMailboxes, readMailboxPage } from './mailbox-list-store.ts'
import { type MailboxRow, readMailbox } from './mailboxes-store.ts'

/** The page ends early when its signatures, which may hold images, get larger than this together. */
const MAX_SIGNATURE_BYTES = 8_000_000

export const getMailbox = async (app: App, who: Who, id: string): Promise<Mailbox> => {
  const row = isId(id) ? await readMailbox(app.db, who.workspaceId, id) : undefined
  if (!row) throw new AppError('NOT_EXISTS')
  return toMailbox(row)
}

/** Newest first. A page may be shorter than `limit`: it is the last one when `nextCursor` is null. */
export const listMailboxes = async (
  app: App,
  who: Who,
  query: Input<typeof listMailboxesRoute>['query'],
): Promise<Output<typeof listMailboxesRoute>> => {
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  if (query.cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const rows = await readMailboxPage(app.db, who.workspaceId, {
    limit: query.limit + 1,
    after,
    text: query.q?.trim() ?? '',
    domain: query.domain === undefined ? null : (domainToAscii(query.domain) ?? ''),
    status: query.status ?? null,
    readerId: who.userId,
    isReadable: query.readable === undefined ? null : query.readable === 'true',
    onlyReadable: !memberCan(who.role, 'see-mailboxes'),
  })
  const page = pageOf(rows, countWithin(rows, query.limit), (row) => ({
    at: row.createdAt,
    id: row.id,
  }))
  const ids = page.items.map((row) => row.id)
  const mailboxes = ids.length === 0 ? [] : await readMailboxes(app.db, who.workspaceId, ids)
  return { items: mailboxes.map(toMailbox), nextCursor: page.nextCursor }
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
})
