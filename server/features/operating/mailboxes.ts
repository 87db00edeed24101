/** Mailboxes, for operators: figures and times of each, and nothing of its mail (decision 104). */
import { AppError } from '#contract/errors.ts'
import { emailAddress } from '#contract/fields.ts'
import type {
  MailboxOrder,
  OperatedMailbox,
  OperatedMailboxDetails,
} from '#contract/operator/mailboxes.ts'
import { accountEmail } from '#server/features/accounts/account-email.ts'
import { mailboxIdAt } from '#server/features/mailboxes/mailbox-queries.ts'
import type { OperatorApp } from '#server/features/operators/operators.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { type Listing, type Paged, pageOf, soughtBy } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import {
  countMailboxes,
  mailboxSortKind,
  readAddressesOf,
  readFigures,
  readHolder,
  readListedMailboxes,
  readMailboxPage,
} from './mailboxes-store.ts'

export const listMailboxes = async (
  { db }: Pick<OperatorApp, 'db'>,
  listing: Listing<MailboxOrder>,
): Promise<Paged<OperatedMailbox> & { total: number }> => {
  const search = soughtBy(listing)
  const [{ items, ...page }, total] = await Promise.all([
    pageOf(listing, mailboxSortKind(listing.order), (range) => readMailboxPage(db, search, range)),
    countMailboxes(db, search),
  ])
  const ids = items.map(({ id }) => id)
  const byId = new Map((await readListedMailboxes(db, ids)).map((row) => [row.id, toListed(row)]))
  return { ...page, items: ids.flatMap((id) => byId.get(id) ?? []), total }
}

type ListedRow = Awaited<ReturnType<typeof readListedMailboxes>>[number]

const toListed = ({ id, firstName, lastName, ...row }: ListedRow): OperatedMailbox => ({
  _id: id,
  ...row,
  name: `${firstName} ${lastName}`.trim(),
  endsAt: row.endsAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

/** By its id, or one of its addresses. @throws NOT_EXISTS */
export const showMailbox = async (
  { db, clock }: Pick<OperatorApp, 'db' | 'clock'>,
  wanted: string,
): Promise<OperatedMailboxDetails> => {
  const id = isId(wanted) ? wanted : await idAt(db, wanted)
  const [row] = id === null ? [] : await readListedMailboxes(db, [id])
  if (row === undefined) throw new AppError('NOT_EXISTS')
  const now = clock.now()
  const [holder, addresses, figures] = await Promise.all([
    readHolder(db, row.id),
    readAddressesOf(db, row.id),
    readFigures(db, row.id, now, secondsAfter(now, -DAY_SECONDS)),
  ])
  return {
    ...toListed(row),
    ...addresses,
    ...figures,
    lastProgramUseAt: figures.lastProgramUseAt?.toISOString() ?? null,
    holder: holder
      ? {
          userId: holder.id,
          name: `${holder.firstName} ${holder.lastName}`.trim(),
          lastLoginAt: holder.lastLoginAt?.toISOString() ?? null,
        }
      : null,
  }
}

const idAt = async (db: Db, wanted: string): Promise<string | null> => {
  const read = emailAddress.safeParse(wanted)
  if (!read.success) return null
  return (await mailboxIdAt(db, accountEmail(read.data)).executeTakeFirst())?.id ?? null
}
