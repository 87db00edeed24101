/** A seeded sample of deliveries to hostile servers; `npm run soak` makes thousands. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOutgoingWorld, type OutgoingWorld } from '../outgoing/outgoing-world.ts'
import { tryHostileSink } from './hostile-sink.ts'

const DELIVERIES = Number(process.env.DELIVERIES ?? 120)
const SEED = Number(process.env.SEED ?? 20_261_122)

let world: OutgoingWorld
beforeAll(async () => {
  world = await anOutgoingWorld()
})
afterAll(() => world.close())

test(
  'every delivery ends once: delivered, refused or given up after five days; a second copy only after a cut behind the final dot',
  async () => {
    const startedAt = performance.now()
    const { faults, ...counts } = await tryHostileSink(world, { seed: SEED, count: DELIVERIES })
    if (DELIVERIES > 1_000)
      console.table({ ...counts, seconds: Math.round((performance.now() - startedAt) / 1000) })
    expect(faults).toEqual([])
    // A sample without these events proves nothing.
    for (const each of ['delivered', 'bounced', 'expired', 'copies'] as const)
      expect(counts[each], each).toBeGreaterThan(0)
    expect(counts.attempts).toBeGreaterThan(counts.deliveries)
    expect(counts.days).toBeGreaterThanOrEqual(5)
  },
  // Only what hangs is ended.
  300_000 + DELIVERIES * 50,
)
