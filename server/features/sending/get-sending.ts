import { AppError } from '#contract/errors.ts'
import type { listSendingStops, Sending } from '#contract/mail/sending.ts'
import { memberCan } from '#contract/rights.ts'
import type { Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { findReadable } from '#server/features/mailboxes/mailbox-queries.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { senderKnownSince, toStop } from './check-brakes.ts'
import { type Amounts, limitsAt, rampEndsAt, type Sent } from './limits.ts'
import { deleteSendings, sumSent } from './sendings-store.ts'
import { deleteBounces, deleteComplaints, findStop, readStops } from './stops/stops-store.ts'

/** For readers of the mailbox and managers of mailboxes. @throws NOT_EXISTS, FORBIDDEN */
export const getSending = async (app: App, who: Who, mailboxId: string): Promise<Sending> => {
  const { workspaceId } = who
  const mailbox = isId(mailboxId)
    ? await findReadable(app.db, who, mailboxId, app.clock.now())
    : undefined
  if (mailbox === undefined) throw new AppError('NOT_EXISTS')
  if (mailbox.readerId === null && !memberCan(who.role, 'see-mailboxes'))
    throw new AppError('FORBIDDEN')
  const now = app.clock.now()
  const after = secondsAfter(now, -DAY_SECONDS)
  const workspace = await readWorkspace(app.db, workspaceId)
  const knownSince = await senderKnownSince(app.db, { workspaceId, id: mailboxId }, workspace)
  const { mailbox: limit, together } = limitsAt(app.config, knownSince, now)
  const fullAt = rampEndsAt(app.config, knownSince, now)
  const used = (by: string | null) => sumSent(app.db, { workspaceId, mailboxId: by }, after)
  const stop = await findStop(app.db, { workspaceId, mailboxId })
  return {
    ...amountsOf(limit, await used(mailboxId)),
    isRamping: fullAt !== null,
    fullAt: fullAt?.toISOString() ?? null,
    together: together && amountsOf(together, await used(null)),
    stopped: stop === undefined ? null : toStop(stop),
  }
}

const amountsOf = (limit: Amounts, used: Sent) => ({
  dailyLimit: limit.recipients,
  usedToday: used.recipients,
  newRecipientLimit: limit.newRecipients,
  newToday: used.newRecipients,
})

export const getSendingStops = async (
  app: App,
  who: Who,
): Promise<Output<typeof listSendingStops>> =>
  (await readStops(app.db, who.workspaceId)).map((row) => ({
    mailboxId: row.mailboxId,
    ...toStop(row),
  }))

/** Limits count a day; operators see a week. */
const KEPT_SECONDS = 7 * DAY_SECONDS

/** Deletes rows that nobody counts any more. */
export const purgeBrakes = async (app: App): Promise<void> => {
  const before = secondsAfter(app.clock.now(), -KEPT_SECONDS)
  await deleteSendings(app.db, before)
  await deleteBounces(app.db, before)
  await deleteComplaints(app.db, before)
}
