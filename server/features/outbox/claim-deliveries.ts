/**
 * Which worker sends what. A claim is a worker's for as long as PostgreSQL knows the worker alive, and ends with what became
 * of the delivery: whoever lives settles it, also when the database was away meanwhile (decision 036).
 */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { LONGEST_WAIT_SECONDS } from '#server/standards/retry-schedule.ts'
import { openPresence, type Presence } from '#server/storage/presence.ts'
import {
  bringForward,
  type ClaimedDelivery,
  claimersOf,
  claimOne,
  freeClaimers,
  isClaimed,
  readOutboxMessage,
  releaseClaim,
  releaseClaimsBut,
  releaseOfDead,
} from './deliveries-store.ts'
import type { OutboxMessage } from './outbox-store.ts'

export type { ClaimedDelivery, OutboxMessage, Presence }

/** The claim is another worker's by now, or nobody's: it must not be sent. */
export class ClaimLost extends Error {}

/** What a worker claims by, for as long as it lives. */
export const newClaimer = (
  app: App,
  onHeld: () => void,
  onError: (error: unknown) => void,
): Presence => openPresence(app.connection, onHeld, onError)

/** The next due delivery whose domain is not busy, now claimed; undefined when none is due. */
export const claimDueDelivery = (
  app: App,
  by: number,
  busyDomains: readonly string[],
): Promise<ClaimedDelivery | undefined> =>
  claimOne(app.db, { by, now: app.clock.now(), busyDomains })

/** No schedule waits for so long: the clock was set back since. Nobody waits for the wrong day. */
export const dueDespiteClock = (app: App): Promise<void> => {
  const now = app.clock.now()
  return bringForward(app.db, secondsAfter(now, LONGEST_WAIT_SECONDS), now)
}

/** Nothing was tried: it is due as before. */
export const giveBack = (app: App, by: number, delivery: ClaimedDelivery): Promise<void> =>
  releaseClaim(app.db, delivery.id, by)

/** A claim whose answer was lost with the connection is the worker's, who knows nothing of it. */
export const giveBackUnknown = (app: App, by: number, known: readonly string[]): Promise<void> =>
  releaseClaimsBut(app.db, by, known)

/** undefined when it is gone meanwhile, with its mailbox's workspace. */
export const messageOf = (
  app: App,
  delivery: ClaimedDelivery,
): Promise<OutboxMessage | undefined> => readOutboxMessage(app.db, delivery.outboxMessageId)

/** For the moment before a mail cannot be called back. @throws ClaimLost, or that the database is away */
export const checkClaim = async (
  presence: Presence,
  by: number,
  delivery: ClaimedDelivery,
): Promise<void> => {
  if (!(await isClaimed(presence, delivery.id, by))) throw new ClaimLost('another worker has it')
}

/**
 * A worker whose connection broke takes its lock again within a moment. Only who does not for so long is dead; where
 * nobody else can be running, at once.
 */
const GRACE_MS = 5_000

/** Frees what dead workers had claimed, look by look. Answers whether anything is free now. */
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
