/** Stops sending from a mailbox whose mail is refused in a burst, to protect the reputation of the server. */

import { AppError } from '#contract/errors.ts'
import { type Sending, stopSentence, whoResumes } from '#contract/mail/sending.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import { countEnded, makeHeldDeliveriesDue } from '#server/features/outbox/ledger-queries.ts'
import { type Attempt, LOCAL_HOST } from '#server/features/outbox/record-attempt.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { holdSuspension, isSuspended } from '#server/features/tenants/workspace-queries.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { storable } from '#server/lib/plain-text.ts'
import type { Db } from '#server/storage/database.ts'
import { announceDelivery, announceMailbox } from '#server/storage/notifications.ts'
import { stopMail } from '../brake-mails.ts'
import { getSending } from '../get-sending.ts'
import {
  countBounces,
  endStop,
  findSender,
  findStop,
  insertBounce,
  insertStop,
  lastResumedAt,
  lockStop,
} from './stops-store.ts'

/** Sending stops at this many permanent failures within an hour ... */
const BURST = 10
const BURST_SECONDS = HOUR_SECONDS
/** ... if also at least one of so many deliveries of the last 24 hours failed (decision 022). */
const ONE_OF = 5
/** Deliveries that end now were queued within this time, since they are given up after five days. */
const QUEUED_SECONDS = 6 * DAY_SECONDS
const MAX_EXAMPLE = 300

/** Records a failed delivery, whose last attempt is `last`. Call after writing its attempts, in the same transaction. */
export const noteFailure = async (
  app: App,
  tx: Db,
  { mailboxId, deliveryId }: { mailboxId: string | null; deliveryId: string },
  last: Attempt,
): Promise<void> => {
  if (mailboxId === null || !isRefusedForGood(last)) return
  const sender = await findSender(tx, mailboxId)
  if (sender === undefined) return
  const { workspaceId } = sender
  const place = { workspaceId, mailboxId }
  const now = app.clock.now()
  await insertBounce(tx, { deliveryId, ...place, at: now })
  const resumedAt = (await lastResumedAt(tx, place)) ?? new Date(0)
  const since = (seconds: number) => latest(resumedAt, secondsAfter(now, -seconds))
  if ((await countBounces(tx, place, since(BURST_SECONDS))) < BURST) return
  const after = since(DAY_SECONDS)
  const failed = await countBounces(tx, place, after)
  const ended = await countEnded(tx, place, {
    after,
    queuedAfter: secondsAfter(now, -QUEUED_SECONDS),
    most: failed * ONE_OF + 1,
  })
  if (failed * ONE_OF < ended) return
  const stop = { failed, ended, example: storable(last.reply, MAX_EXAMPLE) }
  if (!(await insertStop(tx, { id: newId(), ...place, stoppedAt: now, ...stop, resumedAt: null })))
    return
  await recordBySystem(tx, now, 'sendingStopped', {
    ...{ workspaceId, object: sender.email, details: { refused: `${failed} of ${ended}` } },
  })
  const mail = stopMail({ email: sender.email, mailboxId, publicUrl: app.config.publicUrl }, stop)
  for (const to of await adminEmails(tx, workspaceId))
    await sendSystemMail(app, tx, { to, ...mail })
  await announceMailbox(tx, place)
}

/** true: another server refused it with a 5xx reply. Connection failures and local refusals do not harm the reputation. */
const isRefusedForGood = ({ outcome, host, code }: Attempt): boolean =>
  outcome === 'failed' && host !== LOCAL_HOST && code !== null && code >= 500

const latest = (a: Date, b: Date): Date => (a > b ? a : b)

/** Stored as the reply of an attempt that was not made. */
export const HELD = 'Sending from this mailbox is stopped until an Admin resumes it'

/** The same where an operator stopped it. */
export const STOPPED = 'The operator has stopped sending from this mailbox'

/** The same for all mail of a workspace that an operator suspended. */
export const SUSPENDED = 'Sending from this workspace is suspended by the operator'

export const heldBackReplies: readonly string[] = [HELD, STOPPED, SUSPENDED]

export const isHeldBack = (reply: string): boolean => heldBackReplies.includes(reply)

/**
 * A delivery of a stopped mailbox, or of a suspended workspace, is handled like one that a server deferred: retried, and bounced
 * after five days. Returns null when sending is not stopped.
 */
export const holdBack = async (
  app: App,
  { workspaceId, mailboxId }: OutboxMessage,
): Promise<Attempt | null> => {
  if (workspaceId === null || mailboxId === null) return null
  const [isOfSuspended, stop] = await Promise.all([
    isSuspended(app.db, workspaceId),
    findStop(app.db, { workspaceId, mailboxId }),
  ])
  if (!isOfSuspended && stop === undefined) return null
  const reply = isOfSuspended ? SUSPENDED : stop?.operatorReason == null ? HELD : STOPPED
  return { outcome: 'deferred', host: '', ip: '', isTls: false, code: null, reply }
}

/**
 * true: `last` was held back, but sending was resumed before it was stored, so resuming did not see this delivery. Call
 * before locking the delivery, in the lock order of `resumeSending`.
 */
export const isReleased = async (
  tx: Db,
  { workspaceId, mailboxId }: OutboxMessage,
  last: Attempt | undefined,
): Promise<boolean> => {
  if (workspaceId === null || mailboxId === null) return false
  if (last?.reply === SUSPENDED) return !(await holdSuspension(tx, workspaceId))
  const isStop = last?.reply === HELD || last?.reply === STOPPED
  return isStop && (await lockStop(tx, { workspaceId, mailboxId })) === undefined
}

/** Does nothing when sending is not stopped. @throws NOT_EXISTS; MAILBOX_SENDING_STOPPED where only an operator may resume it */
export const resumeSending = async (app: App, who: Who, mailboxId: string): Promise<Sending> => {
  const { stopped } = await getSending(app, who, mailboxId)
  if (stopped !== null && stopped.operatorReason !== null)
    throw new AppError('MAILBOX_SENDING_STOPPED', {
      message: `${stopSentence(stopped)} ${whoResumes(stopped)}`,
    })
  const place = { workspaceId: who.workspaceId, mailboxId }
  if (stopped !== null)
    await app.db.transaction().execute((tx) => endAndRelease(app, tx, place, 'admin'))
  return getSending(app, who, mailboxId)
}

type Place = { workspaceId: string; mailboxId: string }

/** Makes held deliveries due at once. An Admin cannot end the stop of an operator. @returns false when there was none to end */
export const endAndRelease = async (
  app: Pick<App, 'clock'>,
  tx: Db,
  place: Place,
  by: 'admin' | 'operator',
): Promise<boolean> => {
  const now = app.clock.now()
  if (!(await endStop(tx, place, now, by))) return false
  for (const reply of [HELD, STOPPED]) await makeHeldDeliveriesDue(tx, place, reply, now)
  await announceDelivery(tx)
  await announceMailbox(tx, place)
  return true
}
