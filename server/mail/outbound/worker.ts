/** Sends the outbox. Any number of workers share it: each delivery is claimed by one. */

import type { App } from '#server/app.ts'
import {
  type ClaimedDelivery,
  ClaimLost,
  checkClaim,
  claimDueDelivery,
  dueDespiteClock,
  giveBack,
  giveBackUnknown,
  messageOf,
  newClaimer,
  type Presence,
  watchForDead,
} from '#server/features/outbox/claim-deliveries.ts'
import { type Attempt, recordAttempt } from '#server/features/outbox/record-attempt.ts'
import { finishAttempt } from '#server/features/sending/finish-attempt.ts'
import { BlobMissing, BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { relayOf } from '#server/lib/remote/smtp-destination.ts'
import { within } from '#server/lib/wait.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { OUTBOX_CHANNEL } from '#server/storage/notifications.ts'
import { deliver, type Persist, persistUntil, Unwritten } from './deliver.ts'
import { Slots } from './slots.ts'
import { HostConnections, HostFull } from './smtp/host-connections.ts'
import type { Timeouts } from './smtp/session.ts'

const LOOK_MS = 5_000
const DEAD_MS = 1_000
const CLOCK_MS = 60_000
/** How long closing waits for running deliveries. */
const CLOSE_MS = 5_000

export type Outbound = { close(): Promise<void> }

/** Options that tests set lower. */
export type OutboundOptions = Timeouts & {
  /** How long an idle connection is kept for the next mail. */
  keepMs: number
  /** A delivery that takes longer no longer blocks the start of others. */
  slowMs: number
  /** The HTTPS port of MTA-STS policies (RFC 8461). */
  policyPort: number
}

/** RFC 5321 §4.5.3.2, but shorter where a slow host is as good as unavailable. */
export const usualOptions: OutboundOptions = {
  connectMs: 30_000,
  greetingMs: 60_000,
  idleMs: 300_000,
  wholeMs: 600_000,
  keepMs: 5_000,
  slowMs: 20_000,
  policyPort: 443,
}

type Worker = {
  app: App
  options: OutboundOptions
  connections: HostConnections
  slots: Slots
  presence: Presence
  persist: Persist
}

export const startOutbound = (app: App, given: Partial<OutboundOptions> = {}): Outbound => {
  const options = { ...usualOptions, ...given }
  const connections = new HostConnections(options.keepMs)
  const slots = new Slots(options.slowMs, (address) => connections.isFull(address))
  const relay = app.config.relayUrl === null ? null : relayOf(app.config.relayUrl)
  const freeDead = watchForDead(app)
  const closing = new AbortController()
  const log = (error: unknown) => logTrouble(app, error)

  const hasRoom = (): boolean =>
    slots.hasRoom() && (relay === null || !connections.isFull(relay.dialled.address))

  const looks = oneAtATime(async (isAfterTrouble) => {
    const by = presence.number()
    if (by === null) return
    if (isAfterTrouble) await giveBackUnknown(app, by, slots.ids)
    while (!closing.signal.aborted && hasRoom()) {
      const delivery = await claimDueDelivery(app, by, slots.busyDomains())
      // Claimed while closing: close() gives it back.
      if (delivery === undefined || closing.signal.aborted) return
      slots.take(delivery.id, delivery.recipientDomain, () =>
        run(worker, by, delivery).finally(look),
      )
    }
  }, log)
  const look = () => {
    if (!closing.signal.aborted) looks.start()
  }

  const frees = oneAtATime(async () => {
    const by = presence.number()
    if (by !== null && !closing.signal.aborted && (await freeDead(by))) look()
  }, log)
  const seeClock = () => void dueDespiteClock(app).then(look, log)
  const onHeld = () => {
    frees.start()
    seeClock()
  }
  const presence = newClaimer(app, onHeld, log)
  const persist = persistUntil(closing.signal)
  const worker: Worker = { app, options, connections, slots, presence, persist }
  const timers = [every(LOOK_MS, look), every(DEAD_MS, frees.start), every(CLOCK_MS, seeClock)]
  const subscribed = app.listener.subscribe(OUTBOX_CHANNEL, look)

  return {
    close: async () => {
      closing.abort()
      for (const timer of timers) clearInterval(timer)
      await subscribed.then((stop) => stop())
      await Promise.all([looks.ended(), frees.ended()])
      await within(Date.now() + CLOSE_MS, slots.allEnded(), null)
      connections.close()
      const by = presence.number()
      if (by !== null) await giveBackUnknown(app, by, slots.ids).catch(log)
      // From here on no running delivery may complete a mail.
      await presence.close()
    },
  }
}

const every = (ms: number, act: () => void) => setInterval(act, ms)

/** A start during a run causes another run. `isAfterTrouble`: the previous run failed. */
const oneAtATime = (
  look: (isAfterTrouble: boolean) => Promise<void>,
  onError: (error: unknown) => void,
) => {
  let looking: Promise<void> | null = null
  let isWoken = false
  let isAfterTrouble = false
  const start = (): void => {
    isWoken = true
    if (looking !== null) return
    const lookWhileWoken = async () => {
      while (isWoken) {
        isWoken = false
        await look(isAfterTrouble)
        isAfterTrouble = false
      }
    }
    looking = lookWhileWoken()
      .catch((error: unknown) => {
        isAfterTrouble = true
        onError(error)
      })
      .finally(() => {
        looking = null
        if (isWoken) setImmediate(start)
      })
  }
  return { start, ended: async () => looking }
}

/** Never rejects. The claim is always settled, unless the process ends first. */
const run = async (worker: Worker, by: number, delivery: ClaimedDelivery): Promise<void> => {
  const { app, options, connections, slots, presence, persist } = worker
  const ways = { connections, timeouts: options, policyPort: options.policyPort }
  const check = () => checkClaim(presence, by, delivery)
  try {
    await deliver(app, { by, delivery, check }, ways, persist)
  } catch (error) {
    if (error instanceof HostFull) slots.waitsFor(delivery.recipientDomain, error.address)
    else logTrouble(app, error)
    await settle(worker, by, delivery, error).catch((again: unknown) => logTrouble(app, again))
  } finally {
    slots.free(delivery.id)
  }
}

/**
 * An untried delivery is due again at once. After an internal error, such as a missing blob, the delivery is deferred, and the
 * sender gets a bounce when its time is over.
 */
const settle = async (
  { app, persist }: Worker,
  by: number,
  delivery: ClaimedDelivery,
  error: unknown,
): Promise<void> => {
  if (error instanceof Unwritten) return
  const isUntried = error instanceof HostFull || error instanceof ClaimLost || isDatabaseAway(error)
  if (isUntried) return persist(() => giveBack(app, by, delivery))
  const attempt = error instanceof BlobMissing ? { ...ourTrouble, reply: TEXT_MISSING } : ourTrouble
  await persist(async () => {
    const message = await messageOf(app, delivery)
    if (message === undefined) return
    const raw = await app.blobs.get(message.blob).catch(() => lostText)
    await finishAttempt(app, { by, delivery, message, raw }, [attempt], null)
  }).catch(async (again: unknown) => {
    if (again instanceof Unwritten) return
    logTrouble(app, again)
    // Without a bounce, which cannot be written now: the claim must not stay for ever.
    await persist(() =>
      app.db.transaction().execute((tx) => recordAttempt(app, tx, by, delivery, [attempt])),
    )
  })
}

const TEXT_MISSING = 'The text of this message is missing on this server'
/** Takes the place of the lost header in a bounce. */
const lostText = Buffer.from(`Comments: ${TEXT_MISSING}\r\n\r\n`)

/** The blob store logs its own trouble. */
const isBlobTrouble = (error: unknown): boolean =>
  error instanceof BlobStoreAway || error instanceof BlobMissing

const ourTrouble: Attempt = {
  outcome: 'deferred',
  host: '',
  ip: '',
  isTls: false,
  code: null,
  reply: 'Temporary trouble here',
}

const logTrouble = (app: App, error: unknown): void => {
  if (isDatabaseAway(error)) app.log.warn({ err: error }, 'the outbox waits for the database')
  else if (isBlobTrouble(error)) app.log.warn({ err: error }, 'the outbox waits for the blobs')
  else if (error instanceof ClaimLost) app.log.warn({ err: error }, 'a delivery was left alone')
  else app.log.error({ err: error }, 'outgoing mail is in trouble')
}
