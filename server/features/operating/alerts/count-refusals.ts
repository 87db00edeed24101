/** For a loop of each process where mail comes in: adds up what they refuse, so that any worker knows the rate of all. */
import type { App } from '#server/app.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { addRefusals, deleteRefusals } from './refusals-store.ts'

export const SLOT_MS = 5 * 60_000
const BETWEEN_MS = 60_000
const KEPT_MS = 2 * DAY_MS

type Stored = { at: Date | null; byWhy: Map<string, number> }

/** By installation: what of the counters is in the table. */
const stored = new WeakMap<App, Stored>()

export const storeRefusals = async (app: App): Promise<void> => {
  const now = app.clock.now()
  const last = stored.get(app) ?? { at: null, byWhy: new Map() }
  if (last.at !== null && Math.abs(now.getTime() - last.at.getTime()) < BETWEEN_MS) return
  const counted = countedByWhy(app)
  const slot = new Date(Math.floor(now.getTime() / SLOT_MS) * SLOT_MS)
  const rows = [...counted].map(([why, count]) => ({
    ...{ slot, why, refusals: count - (last.byWhy.get(why) ?? 0) },
  }))
  // One row at least, so that a time without refusals is known as one.
  const told = rows.filter(({ why, refusals }) => refusals > 0 || why === ANY_WHY)
  await addRefusals(app.db, told)
  stored.set(app, { at: now, byWhy: counted })
  await deleteRefusals(app.db, new Date(now.getTime() - KEPT_MS))
}

const ANY_WHY = 'rule'

const countedByWhy = ({ counters }: App): Map<string, number> => {
  const counted = new Map([[ANY_WHY, 0]])
  for (const { labels, value } of counters.samplesOf('mails_refused')) {
    const why = labels?.why ?? ANY_WHY
    counted.set(why, (counted.get(why) ?? 0) + value)
  }
  return counted
}
