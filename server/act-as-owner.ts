/** The operator's tool, started by root, becomes the user whose DATA_DIR it works in: what it writes belongs to who reads it later. */
import { existsSync, statSync } from 'node:fs'
import { accountWith, become } from './lib/accounts.ts'

export const actAsOwnerOf = (dataDir: string): void => {
  if (process.getuid?.() !== 0 || !existsSync(dataDir)) return
  const owner = accountWith(statSync(dataDir).uid)
  if (owner !== undefined && owner.uid !== 0) become(owner)
}
