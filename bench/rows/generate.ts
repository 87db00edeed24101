import { aFolder, logIn, seed, startProduct } from '../product.ts'
import type { Bench } from '../row.ts'
import { anAdmin, domains, EMAIL, PASSWORD } from '../sample.ts'

const DOMAINS = 200
const names = ['Augusta', 'Bertrand', 'Charles', 'Dorothy', 'Edmund'].map((firstName) => ({
  firstName,
  lastName: 'Lovelace',
}))

/** One request that creates 200 domains x 5 mailboxes. */
export const generate: Bench = {
  name: 'generate mailboxes',
  run: async () => {
    const { dataDir, remove } = aFolder()
    await seed(dataDir, async (world) => {
      const { workspace } = await anAdmin(world)
      await domains(world, workspace, DOMAINS)
    })
    const product = await startProduct(dataDir)
    try {
      const token = await logIn(product.url, EMAIL, PASSWORD)
      const startedAt = performance.now()
      const response = await fetch(`${product.url}/api/v1/mailboxes/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          domains: Array.from({ length: DOMAINS }, (_, n) => `d${n}.example`),
          count: names.length,
          names,
        }),
      })
      const made = (await response.json()) as unknown[]
      const seconds = (performance.now() - startedAt) / 1000
      if (made.length !== DOMAINS * names.length)
        throw new Error(`generate answered ${response.status} ${JSON.stringify(made)}`)
      return [{ what: 'generate 1,000 mailboxes', value: seconds, unit: 's', budget: 2 }]
    } finally {
      await product.stop()
      remove()
    }
  },
}
