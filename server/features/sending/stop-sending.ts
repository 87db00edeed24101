/** Stops a mailbox whose mail is refused in a burst, before others pay for it. Never system mail, which has no mailbox. */

import type { Sending } from '#contract/mail/sending.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { LOCAL_HOST } from '#server/features/intake/deliver-locally.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceDelivery, announceMailbox } from '#server/storage/notifications.ts'
import { stopMail } from './brake-mails.ts'
import { getSending } from './get-sending.ts'
import {
  bringHeldForward,
  countBounces,
  countEnded,
  endStop,
  findSender,
  findStop,
  insertBounce,
  insertStop,
  lastResumedAt,
  lockStop,
} from './stops-store.ts'

/** So many within an hour ... */
const BURST = 10
const BURST_SECONDS = 3600
/** ... and one of so many deliveries that ended in 24 hours. Decision 022 says why. */
const ONE_OF = 5
/** What ends now was queued no longer ago: it is given up after five days. */
const QUEUED_SECONDS = 6 * DAY_SECONDS
const MAX_EXAMPLE = 300

/** `last` decided that this delivery failed; its ledger is written, in this transaction. */
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
  const stop = { failed, ended, example: last.reply.toWellFormed().slice(0, MAX_EXAMPLE) }
  if (!(await insertStop(tx, { id: newId(), ...place, stoppedAt: now, ...stop, resumedAt: null })))
    return
  const mail = stopMail({ email: sender.email, mailboxId, publicUrl: app.config.publicUrl }, stop)
  for (const to of await adminEmails(tx, workspaceId))
    await sendSystemMail(app, tx, { to, ...mail })
  await announceMailbox(tx, place)
}

/** By another server, in so many words: what could not be asked or is ours harms no name. */
const isRefusedForGood = ({ outcome, host, code }: Attempt): boolean =>
  outcome === 'failed' && host !== LOCAL_HOST && code !== null && code >= 500

const latest = (a: Date, b: Date): Date => (a > b ? a : b)

/** In the ledger, where a server's answer would stand. */
export const HELD_BACK = 'Sending from this mailbox is stopped until an Admin resumes it'

/**
 * A delivery of a stopped mailbox waits like one that a server deferred: it is looked at again, and given up with a bounce
 * after five days. null: it may go.
 */
export const holdBack = async (
  app: App,
  { workspaceId, mailboxId }: OutboxMessage,
): Promise<Attempt | null> => {
  if (workspaceId === null || mailboxId === null) return null
  const stop = await findStop(app.db, { workspaceId, mailboxId })
  return stop === undefined
    ? null
    : { outcome: 'deferred', host: '', ip: '', isTls: false, code: null, reply: HELD_BACK }
}

/**
 * The attempt was held back, and an Admin resumed in the meantime: who resumes finds only what is held by then. To be asked
 * before the delivery is locked, as resuming does.
 */
export const isHeldNoMore = async (
  tx: Db,
  { workspaceId, mailboxId }: OutboxMessage,
  last: Attempt | undefined,
): Promise<boolean> =>
  last?.reply === HELD_BACK &&
  workspaceId !== null &&
  mailboxId !== null &&
  (await lockStop(tx, { workspaceId, mailboxId })) === undefined

/** What was held back goes out at once. Nothing happens to a mailbox that is not stopped. @throws NOT_EXISTS */
export const resumeSending = async (app: App, who: Who, mailboxId: string): Promise<Sending> => {
  const { stopped } = await getSending(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  if (stopped !== null)
    await app.db.transaction().execute(async (tx) => {
      const now = app.clock.now()
      if (!(await endStop(tx, place, now))) return
      await bringHeldForward(tx, place, HELD_BACK, now)
      await announceDelivery(tx)
      await announceMailbox(tx, place)
    })
  return getSending(app, who, mailboxId)
}
