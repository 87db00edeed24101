/**
 * Tells open pages that mail arrived, a moment after it is stored. Not in the transaction that stores it:
 * commits with a NOTIFY wait for each other, which would let only one message in at a time. What is lost
 * in a crash is a hint; pages read the list again when they reconnect.
 */
import type { App } from '#server/app.ts'
import { announceChange } from '#server/storage/notifications.ts'

const WAIT_MS = 50

type Arrival = { workspaceId: string; mailboxId: string }
const waiting = new WeakMap<App['db'], Map<string, Arrival>>()

export const announceMailSoon = (app: App, arrival: Arrival): void => {
  const known = waiting.get(app.db)
  if (known !== undefined) {
    known.set(arrival.mailboxId, arrival)
    return
  }
  const arrivals = new Map([[arrival.mailboxId, arrival]])
  waiting.set(app.db, arrivals)
  setTimeout(() => {
    waiting.delete(app.db)
    const changes = [...arrivals.values()].map((each) => ({ topic: 'messages' as const, ...each }))
    announceChange(app.db, ...changes).catch((error: unknown) =>
      app.log.debug({ err: error }, 'open pages were not told of new mail'),
    )
  }, WAIT_MS).unref()
}
