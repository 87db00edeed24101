/** A cheap password hash, for tests that only need a signed-in user. `passwords.test.ts` tests the real cost. */
import { argon2Sync, randomBytes } from 'node:crypto'

export const quickHash = (password: string): string => {
  const nonce = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1 }
  const hash = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost })
  return `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(hash)}`
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
