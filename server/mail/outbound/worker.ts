/** Empties the outbox. Any number of workers share it: each delivery is claimed by one. */
import type { App } from '#server/app.ts'
import {
  type ClaimedDelivery,
  claimDueDelivery,
  newClaimer,
  reclaimFromTheDead,
  renewClaims,
  retireClaimer,
} from '#server/features/outbox/claim-deliveries.ts'
import { recordAttempt } from '#server/features/outbox/record-attempt.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { OUTBOX_CHANNEL } from '#server/storage/notifications.ts'
import { deliver } from './deliver.ts'
import { type Timeouts, usualTimeouts } from './smtp-attempt.ts'

const MAX_DELIVERIES = 20
const MAX_PER_DOMAIN = 5
const LOOK_MS = 5_000
const RENEW_MS = 45_000
/** How long a stop waits for mail that is being sent. */
const CLOSE_MS = 5_000

export type Outbound = { close(): Promise<void> }

export const startOutbound = (app: App, timeouts: Timeouts = usualTimeouts): Outbound => {
  const by = newClaimer()
  const active = new Map<string, { domain: string; ended: Promise<void> }>()
  let isClosed = false
  let looking: Promise<void> | null = null
  let isWoken = false

  const run = async (delivery: ClaimedDelivery): Promise<void> => {
    try {
      await deliver(app, by, delivery, timeouts)
    } catch (error) {
      await putOff(app, by, delivery, error)
    } finally {
      active.delete(delivery.id)
      look()
    }
  }

  const lookNow = async (): Promise<void> => {
    while (!isClosed && active.size < MAX_DELIVERIES) {
      const delivery = await claimDueDelivery(app, by, busyDomains(active.values()))
      // Claimed while closing: closing gives it back.
      if (delivery === undefined || isClosed) return
      active.set(delivery.id, { domain: delivery.recipientDomain, ended: Promise.resolve() })
      active.set(delivery.id, { domain: delivery.recipientDomain, ended: run(delivery) })
    }
  }

  /** One at a time; a wake-up during a look leads to another look. */
  const look = (): void => {
    isWoken = true
    if (looking !== null || isClosed) return
    const lookWhileWoken = async () => {
      while (isWoken) {
        isWoken = false
        await lookNow()
      }
    }
    looking = lookWhileWoken()
      .catch((error: unknown) => logTrouble(app, error))
      .finally(() => {
        looking = null
        if (isWoken) setImmediate(look)
      })
  }

  const timers = [
    setInterval(look, LOOK_MS),
    setInterval(() => {
      renewClaims(app, by, [...active.keys()]).catch((error: unknown) => logTrouble(app, error))
    }, RENEW_MS),
  ]
  const subscribed = app.listener.subscribe(OUTBOX_CHANNEL, look)
  subscribed.catch((error: unknown) => logTrouble(app, error))
  reclaimFromTheDead(app)
    .catch((error: unknown) => logTrouble(app, error))
    .finally(look)

  return {
    close: async () => {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      await subscribed.then((stop) => stop()).catch(() => {})
      await looking
      const all = Promise.all([...active.values()].map(({ ended }) => ended))
      await Promise.race([all, waitAtMost(CLOSE_MS)])
      // What is still being sent keeps its claim until the lease ends: it may have been taken by now.
      if (active.size === 0)
        await retireClaimer(app, by).catch((error: unknown) => logTrouble(app, error))
    },
  }
}

const busyDomains = (active: Iterable<{ domain: string }>): string[] => {
  const counts = new Map<string, number>()
  for (const { domain } of active) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  return [...counts].flatMap(([domain, count]) => (count >= MAX_PER_DOMAIN ? [domain] : []))
}

/** Trouble of ours: the delivery waits like one that was deferred. Without a database its claim runs out by itself. */
const putOff = async (
  app: App,
  by: string,
  delivery: ClaimedDelivery,
  error: unknown,
): Promise<void> => {
  logTrouble(app, error)
  if (isDatabaseAway(error)) return
  await app.db
    .transaction()
    .execute((tx) =>
      recordAttempt(app, tx, by, delivery, [
        {
          outcome: 'deferred',
          host: '',
          ip: '',
          isTls: false,
          code: null,
          reply: 'Temporary trouble here',
        },
      ]),
    )
    .catch((again: unknown) => logTrouble(app, again))
}

const logTrouble = (app: App, error: unknown): void => {
  if (isDatabaseAway(error)) app.log.warn({ err: error }, 'the outbox waits for the database')
  else app.log.error({ err: error }, 'outgoing mail is in trouble')
}

const waitAtMost = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms).unref()
  })
