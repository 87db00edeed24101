/** Runs a trial at its full count, of which `npm test` runs a seeded sample. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const VITEST = 'node_modules/vitest/vitest.mjs'

/** `name`: the file of tests, below the trials or from the root. `counts` are environment variables. Answers whether all went as it should; what did not is printed with its seed. */
export const runTrial = async (
  name: string,
  counts: Record<string, number | string>,
): Promise<boolean> => {
  const settings = Object.entries(counts).map(([key, count]) => [key, String(count)])
  const path = name.includes('/') ? name : `test-world/trials/${name}`
  const child = spawn(process.execPath, [VITEST, 'run', `${path}.test.ts`], {
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(settings) },
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
