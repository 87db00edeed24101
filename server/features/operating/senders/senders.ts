/** Who sends from here, for operators: how much, what came back, what was complained about, and how to stop one (decision 110). */
import { AppError } from '#contract/errors.ts'
import type { OperatedSender, SenderOrder, StopQueued } from '#contract/operator/senders.ts'
import { mailboxIdAt, mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { type Operator, type OperatorApp, operate } from '#server/features/operators/operators.ts'
import { changeQueued } from '#server/features/outbox/queue-queries.ts'
import { stopMailbox } from '#server/features/sending/stops/operator-stop.ts'
import { endAndRelease } from '#server/features/sending/stops/stop-sending.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { type Listing, type Paged, pageOf, soughtBy } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import {
  countSenders,
  readSender,
  readSenderPage,
  type SenderRow,
  senderSortKind,
} from './senders-store.ts'

const COUNTED_SECONDS = 7 * DAY_SECONDS

/** The mailboxes that sent something, had bounces or complaints, or are stopped. `q`: words in the address or the workspace. */
export const listSenders = async (
  { db, clock }: Pick<OperatorApp, 'db' | 'clock'>,
  listing: Listing<SenderOrder>,
): Promise<Paged<OperatedSender> & { total: number }> => {
  const since = secondsAfter(clock.now(), -COUNTED_SECONDS)
  const search = { ...soughtBy(listing), since }
  const [{ items, ...page }, total] = await Promise.all([
    pageOf(listing, senderSortKind(listing.order), (range) => readSenderPage(db, search, range)),
    countSenders(db, search),
  ])
  return { ...page, items: items.map(({ sortValue: _, ...row }) => toSender(row)), total }
}

const toSender = ({ id, stoppedAt, ...row }: SenderRow): OperatedSender => ({
  ...{ _id: id, ...row, stoppedAt: stoppedAt?.toISOString() ?? null },
})

/** @throws NOT_EXISTS */
const readOne = async (
  { db, clock }: Pick<OperatorApp, 'db' | 'clock'>,
  id: string,
): Promise<OperatedSender> => {
  const since = secondsAfter(clock.now(), -COUNTED_SECONDS)
  const row = await readSender(db, id, since)
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return toSender(row)
}

/** By its id, or by one of its addresses. @throws NOT_EXISTS */
const requireSender = async (db: Db, wanted: string) => {
  const rows = mailboxRows(db)
  const row = await (isId(wanted)
    ? rows.where('id', '=', wanted)
    : rows.where('id', 'in', mailboxIdAt(db, wanted.trim().toLowerCase()))
  ).executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return row
}

/** It sends nothing to others until an operator resumes it; its Admins read the reason. @throws NOT_EXISTS */
export const stopSender = async (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
  { reason, queued }: { reason: string; queued: StopQueued },
): Promise<OperatedSender> => {
  const id = await operate(app, operator, async (tx) => {
    const { id: mailboxId, workspaceId, email } = await requireSender(tx, wanted)
    const now = app.clock.now()
    await stopMailbox(tx, { workspaceId, mailboxId }, reason, now)
    const dropped =
      queued === 'drop'
        ? await changeQueued(tx, 'drop', { by: 'mailbox', value: mailboxId }, now)
        : 0
    const detail = queued === 'drop' ? `${reason} (${dropped} dropped)` : reason
    const action = { verb: 'sender stop', workspaceId, subject: email, detail } as const
    return { action, answer: mailboxId }
  })
  return readOne(app, id)
}

/** Also where too many bounces stopped it. What waits is tried at once. @throws NOT_EXISTS */
export const resumeSender = async (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
): Promise<OperatedSender> => {
  const id = await operate(app, operator, async (tx) => {
    const { id: mailboxId, workspaceId, email } = await requireSender(tx, wanted)
    const isEnded = await endAndRelease(app, tx, { workspaceId, mailboxId }, 'operator')
    const action = { verb: 'sender resume', workspaceId, subject: email } as const
    return { action: isEnded ? action : null, answer: mailboxId }
  })
  return readOne(app, id)
}
