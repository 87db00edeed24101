/** A seeded sample of histories; `npm run soak` runs ten thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '../app.ts'
import { type ZonesDns, zonesDns } from '../dns/zones-dns.ts'
import { runHistory } from './ownership/history.ts'

const FROM = Number(process.env.FIRST_HISTORY ?? 13)
const HISTORIES = Number(process.env.HISTORIES ?? 6)
const STEPS = 20
const SECONDS_EACH = 60

let dns: ZonesDns
let app: TestApp
beforeAll(async () => {
  dns = zonesDns()
  app = await anApp({ dns })
})
afterAll(() => app.close())

test(
  'whatever workspaces do, one holds a name and nothing is inherited',
  async () => {
    const counts = new Map<string, number>()
    for (let seed = FROM; seed < FROM + HISTORIES; seed++) {
      const { faults, seen } = await runHistory(app, dns, seed, STEPS)
      expect(faults, `history ${seed}`).toEqual([])
      for (const each of seen) counts.set(each, (counts.get(each) ?? 0) + 1)
      if (process.env.FIRST_HISTORY) console.log(seed, [...seen].join(' '), performance.now())
    }
    // A sample in which nothing comes to pass shows nothing.
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(['held', 'stopped', 'released', 'won', 'both-proven', 'withdrawn']),
    )
    if (HISTORIES > 100) console.table([...counts])
  },
  HISTORIES * SECONDS_EACH * 1000,
)
