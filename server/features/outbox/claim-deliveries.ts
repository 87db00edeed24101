/**
 * Which worker sends what. A claim is a lease that its worker renews: when the worker dies, the lease
 * runs out, or the next start on the same machine sees the dead process, and another worker takes over.
 */
import { hostname } from 'node:os'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import {
  type ClaimedDelivery,
  claimersOf,
  claimOne,
  extendClaims,
  readOutboxMessage,
  releaseClaim,
  releaseClaims,
} from './deliveries-store.ts'
import type { OutboxMessage } from './outbox-store.ts'

export type { ClaimedDelivery, OutboxMessage }

export const LEASE_SECONDS = 180

const living = new Set<string>()

/** A name for one worker: machine, process, and a mark of its own. */
export const newClaimer = (): string => {
  const name = `${hostname()} ${process.pid} ${newId()}`
  living.add(name)
  return name
}

export const retireClaimer = async (app: App, name: string): Promise<void> => {
  living.delete(name)
  await releaseClaims(app.db, [name])
}

/** The next due delivery whose domain is not busy, now claimed; undefined when none is due. */
export const claimDueDelivery = (
  app: App,
  by: string,
  busyDomains: readonly string[],
): Promise<ClaimedDelivery | undefined> => {
  const now = app.clock.now()
  return claimOne(app.db, { by, now, until: secondsAfter(now, LEASE_SECONDS), busyDomains })
}

/** Nothing was tried: it is due as before. */
export const giveBack = (app: App, by: string, delivery: ClaimedDelivery): Promise<void> =>
  releaseClaim(app.db, delivery.id, by)

/** undefined when it is gone meanwhile, with its mailbox's workspace. */
export const messageOf = (
  app: App,
  delivery: ClaimedDelivery,
): Promise<OutboxMessage | undefined> => readOutboxMessage(app.db, delivery.outboxMessageId)

export const renewClaims = async (app: App, by: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await extendClaims(app.db, by, ids, secondsAfter(app.clock.now(), LEASE_SECONDS))
}

/** Takes the claims of workers that died on this machine back at once. */
export const reclaimFromTheDead = async (app: App): Promise<void> => {
  const dead = (await claimersOf(app.db)).filter(isDeadHere)
  if (dead.length > 0) await releaseClaims(app.db, dead)
}

const isDeadHere = (claimer: string): boolean => {
  const [host, pid] = claimer.split(' ')
  if (host !== hostname() || living.has(claimer)) return false
  return Number(pid) === process.pid || !isRunning(Number(pid))
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
