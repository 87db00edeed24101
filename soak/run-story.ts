/** Runs a story completely, of which `npm test` runs a sample. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

/** In Chromium, at CHROMIUM_PATH. Returns whether it passed; failures are printed. */
export const runStory = async (name: string): Promise<boolean> => {
  const child = spawn(process.execPath, [PLAYWRIGHT, 'test', '--workers=1', name], {
    stdio: 'inherit',
    env: { ...process.env, TRIALS: 'all' },
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
