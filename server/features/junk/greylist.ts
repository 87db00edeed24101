/**
 * Greylisting: an unknown sender is deferred once. The first attempt for (network or domain, sender, recipient) is stored, and an
 * attempt a minute later passes. From then on the sender is known for all recipients. Stored in PostgreSQL, so that the
 * second attempt may reach another process.
 */

import { createHash } from 'node:crypto'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { domainOf } from '#server/standards/address.ts'
import { deleteExpired, findPassed, notePassed, noteTry } from './greylist-store.ts'
import { hasWrittenTo } from './junk-store.ts'

const WAIT_SECONDS = 60
/** Servers retry for days, most often in the first one. */
const RETRY_SECONDS = DAY_SECONDS
const KNOWN_SECONDS = 36 * DAY_SECONDS

type Recipient = { workspaceId: string; mailboxId: string; email: string }

/** Seconds until the sender may pass; 0: now. `place`: the client's network, or the domain that it may send for. */
export const greylistWaitSeconds = async (
  app: App,
  place: string,
  mailFrom: string,
  recipient: Recipient,
): Promise<number> => {
  const now = app.clock.now()
  const sender = mailFrom.toLowerCase()
  const domain = domainOf(sender)
  const senderKey = keyOf('sender', place, domain)
  const keepUntil = secondsAfter(now, KNOWN_SECONDS)
  if (await findPassed(app.db, senderKey, now)) {
    await notePassed(app.db, senderKey, now, keepUntil)
    return 0
  }
  if (sender !== '' && (await hasWrittenTo(app.db, recipient, sender))) return 0
  const key = keyOf('try', place, sender, recipient.email)
  const seenAt = await noteTry(app.db, key, now, secondsAfter(now, RETRY_SECONDS))
  const waitedSeconds = (now.getTime() - seenAt.getTime()) / 1000
  if (waitedSeconds < WAIT_SECONDS) return Math.ceil(WAIT_SECONDS - waitedSeconds)
  await notePassed(app.db, senderKey, now, keepUntil)
  return 0
}

/** Hashed, so that the table reveals no correspondence. */
const keyOf = (...parts: string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

export const purgeGreylist = (app: App): Promise<void> => deleteExpired(app.db, app.clock.now())
