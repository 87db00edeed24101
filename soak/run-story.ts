/** A story of which `npm test` takes a sample, whole. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

/** In Chromium, at CHROMIUM_PATH. Answers whether all went as it should; what did not is printed. */
export const runStory = async (name: string): Promise<boolean> => {
  const child = spawn(process.execPath, [PLAYWRIGHT, 'test', '--workers=1', name], {
    stdio: 'inherit',
    env: { ...process.env, TRIALS: 'all' },
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
