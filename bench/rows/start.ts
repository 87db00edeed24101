import { memoryBytes } from '../memory.ts'
import { aFolder, seed, startProduct } from '../product.ts'
import type { Bench } from '../row.ts'
import { aFullMailbox, anAdmin } from '../sample.ts'

const IDLE_MS = 10_000

/** Restart with `npm start`, empty and with 100,000 messages; then memory after ten idle seconds. */
export const start: Bench = {
  name: 'start and memory',
  run: async () => {
    const { dataDir, remove } = aFolder()
    try {
      await (await startProduct(dataDir, {}, 'scripts/start.js')).stop()
      const empty = await startProduct(dataDir, {}, 'scripts/start.js')
      await empty.stop()
      await seed(dataDir, async (world) => {
        await aFullMailbox(world, await anAdmin(world), 100_000)
      })
      const full = await startProduct(dataDir, {}, 'scripts/start.js')
      await full.stop()
      const idle = await startProduct(dataDir)
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
      const memory = memoryBytes(idle.pid, dataDir)
      await idle.stop()
      return [
        { what: 'start: ready again', value: empty.readyMs / 1000, unit: 's', budget: 2 },
        { what: 'start: with 100,000 messages', value: full.readyMs / 1000, unit: 's', budget: 3 },
        { what: 'memory, idle, with PostgreSQL', value: memory / 1e6, unit: 'MB', budget: 250 },
      ]
    } finally {
      remove()
    }
  },
}
