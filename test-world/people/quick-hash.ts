/** A password's hash that takes no time to compare, for those who sign in by the way. The real cost is tried in `passwords.test.ts`. */
import { argon2Sync, randomBytes } from 'node:crypto'

export const quickHash = (password: string): string => {
  const nonce = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1 }
  const hash = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost })
  return `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(hash)}`
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
