/** A seeded sample of histories of payments by card; `npm run soak -- stripe` runs a thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStripeApp } from '../stripe/stripe-app.ts'
import { runHistory } from './stripe/history.ts'

const HISTORIES = Number(process.env.HISTORIES ?? 0)
const FROM = Number(process.env.FIRST_HISTORY ?? 1)
const SAMPLE = 6
const SEEDS = Array.from({ length: HISTORIES || SAMPLE }, (_, at) => FROM + at)
const STEPS = 25
const KILLS = Number(process.env.KILLS ?? 2)
/** Only what hangs is ended. */
const SECONDS_EACH = 120
const LANES = HISTORIES > 50 ? 4 : 1

type Lane = Awaited<ReturnType<typeof aStripeApp>>
let lanes: Lane[]
beforeAll(async () => {
  lanes = await Promise.all(Array.from({ length: LANES }, () => aStripeApp()))
  for (const { stage } of lanes) stage.events.isPrompt = false
})
afterAll(() => Promise.all(lanes.map(({ app }) => app.close())))

test(
  'whatever happens, each invoice ends in one state, and what is charged is what is owed',
  async () => {
    const counts = new Map<string, number>()
    const seeds = SEEDS.values()
    const run = async ({ app, stage }: Lane) => {
      for (const seed of seeds) {
        const { faults, seen } = await runHistory(app, stage, { seed, steps: STEPS })
        expect(faults, `history ${seed}`).toEqual([])
        for (const each of seen) counts.set(each, (counts.get(each) ?? 0) + 1)
      }
    }
    await Promise.all(lanes.map(run))
    // A sample without these proves nothing.
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(['pay', 'month', 'events', 'refund at Stripe', 'ended Paid']),
    )
    if (HISTORIES > 50) console.table([...counts])
  },
  SEEDS.length * SECONDS_EACH * 1000,
)

test(
  'a worker that is killed between any two steps charges nothing twice',
  async () => {
    const [lane] = lanes
    if (lane === undefined) throw new Error('no lane')
    let killed = 0
    for (let seed = FROM; killed < KILLS; seed++) {
      const history = { seed: seed + 100_000, steps: STEPS, isKilled: true }
      const { faults, kills } = await runHistory(lane.app, lane.stage, history)
      expect(faults, `history ${history.seed}`).toEqual([])
      killed += kills
    }
    if (KILLS > 50) console.log(`${killed} kills`)
    expect(killed).toBeGreaterThanOrEqual(KILLS)
  },
  (KILLS + 10) * SECONDS_EACH * 1000,
)
