/** A trial of which `npm test` takes a seeded sample, at its full count. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const VITEST = 'node_modules/vitest/vitest.mjs'

/** `counts` are environment variables. Answers whether all went as it should; what did not is printed with its seed. */
export const runTrial = async (name: string, counts: Record<string, number>): Promise<boolean> => {
  const settings = Object.entries(counts).map(([key, count]) => [key, String(count)])
  const child = spawn(process.execPath, [VITEST, 'run', `test-world/trials/${name}.test.ts`], {
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(settings) },
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
