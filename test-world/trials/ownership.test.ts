/** A seeded sample of histories; `npm run soak` runs ten thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '../app.ts'
import { type ZonesDns, zonesDns } from '../dns/zones-dns.ts'
import { runHistory } from './ownership/history.ts'

const HISTORIES = Number(process.env.HISTORIES ?? 0)
const FROM = Number(process.env.FIRST_HISTORY ?? 13)
/** The fewest in which all comes to pass that is asked for below. */
const SAMPLE = [14, 16, 17]
const SEEDS = HISTORIES > 0 ? Array.from({ length: HISTORIES }, (_, at) => FROM + at) : SAMPLE
const STEPS = 20
/** Only what hangs is ended. */
const SECONDS_EACH = 300
/** Histories in parallel, each with its own database and clock: half of the time is waiting. */
const LANES = Math.min(4, Math.ceil(SEEDS.length / 6))

let lanes: { dns: ZonesDns; app: TestApp }[]
beforeAll(async () => {
  const aLane = async () => {
    const dns = zonesDns()
    return { dns, app: await anApp({ dns }) }
  }
  lanes = await Promise.all(Array.from({ length: LANES }, aLane))
})
afterAll(() => Promise.all(lanes.map(({ app }) => app.close())))

test(
  'whatever workspaces do, one holds a name and nothing is inherited',
  async () => {
    const counts = new Map<string, number>()
    const seeds = SEEDS.values()
    const run = async ({ app, dns }: (typeof lanes)[number]) => {
      for (const seed of seeds) {
        const { faults, seen } = await runHistory(app, dns, seed, STEPS)
        expect(faults, `history ${seed}`).toEqual([])
        for (const each of seen) counts.set(each, (counts.get(each) ?? 0) + 1)
        if (process.env.FIRST_HISTORY) console.log(seed, [...seen].join(' '), performance.now())
      }
    }
    await Promise.all(lanes.map(run))
    // A sample without these events proves nothing.
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(['held', 'stopped', 'released', 'won', 'both-proven', 'withdrawn']),
    )
    if (HISTORIES > 100) console.table([...counts])
  },
  SEEDS.length * SECONDS_EACH * 1000,
)
