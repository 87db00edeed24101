/**
 * Claims of deliveries. A worker holds a claim while PostgreSQL sees the worker's lock, and the claim ends with the result
 * of the delivery. A live worker records it, even after the database was away (decision 036).
 */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { LONGEST_WAIT_SECONDS } from '#server/standards/retry-schedule.ts'
import { openPresence, type Presence } from '#server/storage/presence.ts'
import {
  type ClaimedDelivery,
  claimersOf,
  claimOne,
  freeClaimers,
  isClaimed,
  makeLateDeliveriesDue,
  readOutboxMessage,
  releaseClaim,
  releaseClaimsBut,
  releaseOfDead,
} from './deliveries-store.ts'
import type { OutboxMessage } from './outbox-store.ts'

export type { ClaimedDelivery, OutboxMessage, Presence }

/** The worker has lost the claim: the message must not be sent. */
export class ClaimLost extends Error {}

/** The identity of a worker for its lifetime. */
export const newClaimer = (
  app: App,
  onHeld: () => void,
  onError: (error: unknown) => void,
): Presence => openPresence(app.connection, onHeld, onError)

/** Claims the next due delivery whose domain is not busy; undefined when none is due. */
export const claimDueDelivery = (
  app: App,
  by: number,
  busyDomains: readonly string[],
): Promise<ClaimedDelivery | undefined> =>
  claimOne(app.db, { by, now: app.clock.now(), busyDomains })

/** No schedule waits longer than this: the clock was set back, so the delivery is made due. */
export const dueDespiteClock = (app: App): Promise<void> => {
  const now = app.clock.now()
  return makeLateDeliveriesDue(app.db, secondsAfter(now, LONGEST_WAIT_SECONDS), now)
}

/** Releases a claim without an attempt: the delivery is due as before. */
export const giveBack = (app: App, by: number, delivery: ClaimedDelivery): Promise<void> =>
  releaseClaim(app.db, delivery.id, by)

/** If the connection broke during a claim, the worker may hold a claim that it does not know of. */
export const giveBackUnknown = (app: App, by: number, known: readonly string[]): Promise<void> =>
  releaseClaimsBut(app.db, by, known)

/** undefined when it was deleted meanwhile, with its workspace. */
export const messageOf = (
  app: App,
  delivery: ClaimedDelivery,
): Promise<OutboxMessage | undefined> => readOutboxMessage(app.db, delivery.outboxMessageId)

/** Call directly before the mail is handed over. @throws ClaimLost, or the database error */
export const checkClaim = async (
  presence: Presence,
  by: number,
  delivery: ClaimedDelivery,
): Promise<void> => {
  if (!(await isClaimed(presence, delivery.id, by))) throw new ClaimLost('another worker has it')
}

/**
 * A worker whose connection broke takes its lock again at once. A worker without a lock for this long is dead; in
 * a single process, immediately.
 */
const GRACE_MS = 5_000

/** Releases the claims of dead workers. @returns whether any were released. */
export const watchForDead = (
  app: App,
  graceMs = app.config.databaseUrl === null ? 0 : GRACE_MS,
) => {
  let freeSince = new Map<number, number>()
  return async (by: number): Promise<boolean> => {
    const others = (await claimersOf(app.db)).filter((claimer) => claimer !== by)
    const free = others.length === 0 ? [] : await freeClaimers(app.db, others)
    const now = performance.now()
    freeSince = new Map(free.map((claimer) => [claimer, freeSince.get(claimer) ?? now]))
    const dead = free.filter((claimer) => now - (freeSince.get(claimer) ?? now) >= graceMs)
    for (const claimer of dead)
      await app.db.transaction().execute((tx) => releaseOfDead(tx, claimer))
    return dead.length > 0
  }
}
