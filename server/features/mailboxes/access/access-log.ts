/** The log of access to mailboxes. Entries are written in the transaction of the change and never changed. */
import { invalidField } from '#contract/errors.ts'
import type { AccessEntry, AccessKind, listAllAccessEntries } from '#contract/mail/access.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { afterCommit } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxRow } from '../mailbox-queries.ts'
import { insertEntries } from './access-queries.ts'
import { type EntryRow, readEntries } from './access-store.ts'
import { requireReadableAccess } from './get-access.ts'

export const logAccess = async (
  app: App,
  tx: Db,
  mailbox: Pick<MailboxRow, 'id' | 'workspaceId' | 'email'>,
  entry: { kind: AccessKind; actor: string; subject?: string; reason?: string },
): Promise<void> => {
  const at = app.clock.now()
  const { subject = '', reason = '', ...rest } = entry
  await insertEntries(tx, [
    {
      ...{ id: newId(at.getTime()), at, workspaceId: mailbox.workspaceId },
      ...{ mailboxId: mailbox.id, mailboxEmail: mailbox.email },
      ...{ ...rest, subject, reason },
    },
  ])
  afterCommit(tx, () =>
    app.logEvent('right-changed', {
      ...{ workspaceId: mailbox.workspaceId, what: 'mailbox', objectId: mailbox.id },
      ...{ change: entry.kind, by: entry.actor, whose: subject },
    }),
  )
}

type Query = Input<typeof listAllAccessEntries>['query']
type Page = Output<typeof listAllAccessEntries>

/** @throws NOT_EXISTS, FORBIDDEN, VALIDATION */
export const listEntries = async (app: App, who: Who, id: string, query: Query): Promise<Page> => {
  const mailbox = await requireReadableAccess(app, who, id)
  return page(app, who, mailbox.id, query)
}

/** @throws VALIDATION */
export const listAllEntries = (app: App, who: Who, query: Query): Promise<Page> =>
  page(app, who, null, query)

const page = async (
  app: App,
  who: Who,
  mailboxId: string | null,
  { limit, cursor }: Query,
): Promise<Page> => {
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const rows = await readEntries(app.db, who.workspaceId, mailboxId, { limit: limit + 1, after })
  const { items, nextCursor } = pageOf(rows, limit, ({ at, id }) => ({ at, id }))
  return { items: items.map((row) => toEntry(row, who)), nextCursor }
}

/** The private address of a holder is shown to callers who may mail a link to it, and to no other reader. */
const toEntry = (
  { id, at, kind, mailboxEmail, actor, subject, reason }: EntryRow,
  { role }: Pick<Who, 'role'>,
): AccessEntry => ({
  ...{ _id: id, at: at.toISOString(), mailbox: mailboxEmail },
  ...{ kind, actor, reason },
  subject: kind === 'link-mailed' && !memberCan(role, 'set-up-access') ? '' : subject,
})
