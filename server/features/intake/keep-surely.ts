/**
 * Stores a message whose sender waits for our answer. When the database goes away in the middle of a commit, nobody knows whether the
 * message is stored: a refusal would make the sender send it again, and it would be there twice (decision 139).
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '#server/app.ts'
import { announceMailSoon } from '#server/features/messages/announce-mail.ts'
import { backoff } from '#server/lib/wait.ts'
import { isAnswerLost, isDatabaseAway, isDatabaseClosed } from '#server/storage/database-away.ts'
import { ping } from '#server/storage/ping.ts'
import type { TakenMessage } from './take-message.ts'

/** A failover is over by then; senders wait for 10 minutes (RFC 5321 section 4.5.3.2.6). */
const DOUBT_MS = 60_000
/** Milliseconds between tries. */
const TRIES = { first: 250, longest: 2_000 }

/**
 * On return it is stored, once. When the answer of the database is lost, asks again until the database tells what became of it.
 * @throws every error of `keep`; after an error that `isAnswerLost`, nobody knows whether it is stored
 */
export const keepSurely = async (app: App, taken: TakenMessage): Promise<void> => {
  try {
    await taken.keep(app.db)
  } catch (error) {
    if (!isAnswerLost(error)) throw error
    await settle(app, taken, error)
  }
}

/** @throws `lost` when the database stays away */
const settle = async (app: App, taken: TakenMessage, lost: unknown): Promise<void> => {
  const endsAt = performance.now() + DOUBT_MS
  for (let tries = 1; performance.now() < endsAt; tries++) {
    await wait(backoff(tries, TRIES))
    try {
      // Before `keep`, which writes the bytes once more.
      await ping(app.db)
      return await keepAgain(app, taken)
    } catch (error) {
      if (isDatabaseClosed(error)) break
      if (!isDatabaseAway(error)) throw error
    }
  }
  throw lost
}

/** If the first statement still runs at the server, the second waits for it, and fails because the rows are there. */
const keepAgain = async (app: App, { keep, wasKept, mailboxes }: TakenMessage): Promise<void> => {
  if (!(await wasKept(app.db)))
    try {
      return await keep(app.db)
    } catch (error) {
      if (isDatabaseAway(error) || !(await wasKept(app.db))) throw error
    }
  for (const mailbox of mailboxes) announceMailSoon(app, mailbox)
}
