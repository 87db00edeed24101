import { AppError } from '#contract/errors.ts'
import type { MailboxAccess, MailboxReader } from '#contract/mail/access.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import type { MailboxRow } from '../mailbox-queries.ts'
import { findOpenLink } from './access-links-store.ts'
import { findReaders, type ReaderRow } from './access-store.ts'
import { canSetUp, requireMailbox } from './require-mailbox.ts'

/** Every reader of a mailbox may see the other readers. @throws NOT_EXISTS, FORBIDDEN */
export const getAccess = async (app: App, who: Who, id: string): Promise<MailboxAccess> => {
  const mailbox = await requireReadableAccess(app, who, id)
  const readers = await findReaders(app.db, who.workspaceId, mailbox.id, app.clock.now())
  const holder = readers.find(({ origin }) => origin === 'holder')
  const isShown = memberCan(who.role, 'set-up-access')
  const link = isShown ? await findOpenLink(app.db, who.workspaceId, mailbox.id) : undefined
  return {
    holder: holder
      ? {
          since: holder.createdAt.toISOString(),
          lastLoginAt: holder.lastLoginAt?.toISOString() ?? null,
        }
      : null,
    link: link
      ? {
          createdAt: link.createdAt.toISOString(),
          expiresAt: link.expiresAt.toISOString(),
          mailedTo: link.mailedTo,
        }
      : null,
    readers: readers.map((reader) => toReader(reader, who)),
    canSetUp: await canSetUp(app, app.db, who, mailbox.id),
  }
}

/** @throws NOT_EXISTS; FORBIDDEN when the caller neither reads the mailbox nor may see all mailboxes */
export const requireReadableAccess = async (
  app: App,
  who: Who,
  id: string,
): Promise<MailboxRow> => {
  const mailbox = await requireMailbox(app, who, id)
  if (memberCan(who.role, 'see-mailboxes')) return mailbox
  const readers = await findReaders(app.db, who.workspaceId, mailbox.id, app.clock.now())
  if (!readers.some(({ userId }) => userId === who.userId)) throw new AppError('FORBIDDEN')
  return mailbox
}

export const toReader = (
  row: Pick<ReaderRow, 'userId' | 'firstName' | 'lastName' | 'email' | 'origin' | 'createdAt'> &
    Pick<ReaderRow, 'endsAt' | 'canSend'>,
  who: Who,
): MailboxReader => ({
  _id: row.userId,
  name: `${row.firstName} ${row.lastName}`.trim(),
  email: row.email,
  isYou: row.userId === who.userId,
  how: row.origin,
  since: row.createdAt.toISOString(),
  endsAt: row.endsAt?.toISOString() ?? null,
  canSend: row.canSend,
})
