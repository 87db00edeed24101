/** Posts events to webhooks, as many at once as there is room for. Any number of workers share them: each claims what it tries. */
import type { App } from '#server/app.ts'
import {
  claimEvents,
  type Delivering,
  type DueEvent,
  deliverEvent,
} from '#server/features/webhooks/deliver-events.ts'
import { within } from '#server/lib/wait.ts'
import { WEBHOOKS_CHANNEL } from '#server/storage/notifications.ts'
import type { Loop } from './loop.ts'

/** Filed mail wakes no worker. */
const LOOK_MS = 1_000
const CLOSE_MS = 5_000
/** Deliveries of this process at once. */
const MOST = 32
/** Receivers that fail or are slow leave the other half to those that answer. */
const MOST_TEDIOUS = MOST / 2

const usual: Delivering = { wholeMs: 10_000, leaseSeconds: 30 }

/** Tests give shorter times. */
export const startWebhooks = (app: App, given: Partial<Delivering> = {}): Loop => {
  const times = { ...usual, ...given }
  const running = new Map<DueEvent, Promise<void>>()
  const trouble = openTrouble(app)
  let isClosed = false
  let looking: Promise<void> | null = null
  let isWoken = false

  /** A try that could not be recorded is made again when its claim has ended. */
  const run = (event: DueEvent) => {
    const delivered = deliverEvent(app, event, times)
      .catch(trouble.begins)
      .finally(() => {
        running.delete(event)
        look()
      })
    running.set(event, delivered)
  }

  const lookWhileWoken = async () => {
    while (isWoken && !isClosed && running.size < MOST) {
      isWoken = false
      const events = await claimEvents(app, roomBeside([...running.keys()]), times)
      trouble.ends()
      for (const event of events) run(event)
    }
  }

  const look = () => {
    isWoken = true
    if (isClosed || looking !== null) return
    looking = lookWhileWoken()
      .catch(trouble.begins)
      .finally(() => {
        looking = null
      })
  }

  const timer = setInterval(look, LOOK_MS)
  const subscribed = app.listener.subscribe(WEBHOOKS_CHANNEL, look)
  return {
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await subscribed.then((stop) => stop())
      await looking
      await within(Date.now() + CLOSE_MS, Promise.all(running.values()), null)
    },
  }
}

const roomBeside = (running: readonly DueEvent[]) => ({
  free: MOST - running.length,
  freeForTedious: Math.max(0, MOST_TEDIOUS - running.filter(({ isTedious }) => isTedious).length),
})

/** Warned of once, until it is over. */
const openTrouble = ({ log }: App) => {
  let isThere = false
  return {
    begins: (error: unknown) => {
      if (!isThere) log.warn({ err: error }, 'events wait for their webhooks')
      isThere = true
    },
    ends: () => {
      isThere = false
    },
  }
}
