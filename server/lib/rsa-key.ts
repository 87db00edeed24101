import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { openTurns } from './turns/turns.ts'

const generate = promisify(generateKeyPair)

/** Each takes a thread of the pool for a while, and files, look-ups and log-ins to the database need it too. */
const turns = openTurns(1)

export type RsaKey = {
  privateKeyPem: string
  /** base64 of the DER SubjectPublicKeyInfo. */
  publicKey: string
}

/** RSA 2048 (RFC 8301 §3.2). */
export const makeRsaKey = async (): Promise<RsaKey> => {
  const pair = await turns.take(() => generate('rsa', { modulusLength: 2048 }))
  return {
    privateKeyPem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  }
}
