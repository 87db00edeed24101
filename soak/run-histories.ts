/** Random histories of who holds a name, against a model: the sample that `npm test` takes, at its full count. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const VITEST = 'node_modules/vitest/vitest.mjs'
const TRIAL = 'test-world/trials/ownership.test.ts'

/** Answers whether all went as the model says; what did not is printed with the seed of its history. */
export const runHistories = async (count: number): Promise<boolean> => {
  const child = spawn(process.execPath, [VITEST, 'run', TRIAL], {
    stdio: 'inherit',
    env: { ...process.env, HISTORIES: String(count) },
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
