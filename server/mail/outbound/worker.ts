/** Empties the outbox. Any number of workers share it: each delivery is claimed by one. */
import type { App } from '#server/app.ts'
import {
  type ClaimedDelivery,
  claimDueDelivery,
  giveBack,
  newClaimer,
  reclaimFromTheDead,
  renewClaims,
  retireClaimer,
} from '#server/features/outbox/claim-deliveries.ts'
import { recordAttempt } from '#server/features/outbox/record-attempt.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { OUTBOX_CHANNEL } from '#server/storage/notifications.ts'
import { deliver } from './deliver.ts'
import { type OutboundOptions, usualOptions } from './options.ts'
import { relayOf } from './relay.ts'
import { Slots } from './slots.ts'
import { HostConnections, HostFull } from './smtp/host-connections.ts'

const LOOK_MS = 5_000
const RENEW_MS = 45_000
/** How long a stop waits for mail that is being sent. */
const CLOSE_MS = 5_000

export type Outbound = { close(): Promise<void> }

export const startOutbound = (app: App, given: Partial<OutboundOptions> = {}): Outbound => {
  const options = { ...usualOptions, ...given }
  const by = newClaimer()
  const connections = new HostConnections(options.keepMs)
  const ways = { connections, timeouts: options, policyPort: options.policyPort }
  const slots = new Slots(options.slowMs, (address) => connections.isFull(address))
  const relay = app.config.relayUrl === null ? null : relayOf(app.config.relayUrl)
  let isClosed = false
  let looking: Promise<void> | null = null
  let isWoken = false

  const run = async (delivery: ClaimedDelivery): Promise<void> => {
    try {
      await deliver(app, by, delivery, ways)
    } catch (error) {
      if (error instanceof HostFull) await wait(delivery, error.address)
      else await putOff(app, by, delivery, error)
    } finally {
      slots.free(delivery.id)
      look()
    }
  }

  const wait = async (delivery: ClaimedDelivery, address: string): Promise<void> => {
    slots.waitsFor(delivery.recipientDomain, address)
    await giveBack(app, by, delivery).catch((error: unknown) => logTrouble(app, error))
  }

  const hasRoom = (): boolean =>
    slots.hasRoom() && (relay === null || !connections.isFull(relay.dialled.address))

  const lookNow = async (): Promise<void> => {
    while (!isClosed && hasRoom()) {
      const delivery = await claimDueDelivery(app, by, slots.busyDomains())
      // Claimed while closing: closing gives it back.
      if (delivery === undefined || isClosed) return
      slots.take(delivery.id, delivery.recipientDomain, () => run(delivery))
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
      renewClaims(app, by, slots.ids).catch((error: unknown) => logTrouble(app, error))
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
      await Promise.race([slots.allEnded(), waitAtMost(CLOSE_MS)])
      connections.close()
      // What is still being sent keeps its claim until the lease ends: it may have been taken by now.
      if (slots.isEmpty)
        await retireClaimer(app, by).catch((error: unknown) => logTrouble(app, error))
    },
  }
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
