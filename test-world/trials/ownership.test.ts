/** A seeded sample of histories; `npm run soak` runs ten thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '../app.ts'
import { type ZonesDns, zonesDns } from '../dns/zones-dns.ts'
import { runHistory } from './ownership/history.ts'

const FROM = Number(process.env.FIRST_HISTORY ?? 13)
const HISTORIES = Number(process.env.HISTORIES ?? 6)
const STEPS = 20
const SECONDS_EACH = 60
/** At the same time, each with a database and a clock of its own: half of a history is waiting. */
const LANES = Math.min(4, Math.ceil(HISTORIES / 6))

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
    const seeds = Array.from({ length: HISTORIES }, (_, at) => FROM + at).values()
    const run = async ({ app, dns }: (typeof lanes)[number]) => {
      for (const seed of seeds) {
        const { faults, seen } = await runHistory(app, dns, seed, STEPS)
        expect(faults, `history ${seed}`).toEqual([])
        for (const each of seen) counts.set(each, (counts.get(each) ?? 0) + 1)
        if (process.env.FIRST_HISTORY) console.log(seed, [...seen].join(' '), performance.now())
      }
    }
    await Promise.all(lanes.map(run))
    // A sample in which nothing comes to pass shows nothing.
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(['held', 'stopped', 'released', 'won', 'both-proven', 'withdrawn']),
    )
    if (HISTORIES > 100) console.table([...counts])
  },
  HISTORIES * SECONDS_EACH * 1000,
)
