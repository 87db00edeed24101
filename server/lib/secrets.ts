/** Keys derived from SECRET, one per purpose, so that no key has two uses. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  generateKeyPair,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { openTurns } from './turns/turns.ts'

export type Secrets = {
  /** A key of 32 bytes for one purpose. */
  keyFor(purpose: string): Buffer
  /** HMAC-SHA-256 of the parts under the key of `purpose`. */
  mac(purpose: string, ...parts: string[]): Buffer
  /** AES-256-GCM; `context` is authenticated, so a value cannot be moved to another row. */
  encrypt(plain: string, context: string): string
  /** @throws when the value was changed or has another context. */
  decrypt(sealed: string, context: string): string
}

export const secretsFrom = (secret: string): Secrets => {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    const known = keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', secret, 'mailstead', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  return {
    keyFor,
    mac: (purpose, ...parts) =>
      createHmac('sha256', keyFor(purpose)).update(JSON.stringify(parts)).digest(),
    encrypt: (plain, context) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor('encrypt'), iv).setAAD(
        Buffer.from(context),
      )
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt: (sealed, context) => {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', keyFor('encrypt'), bytes.subarray(0, 12), {
        // Refuses a truncated value with a short tag.
        authTagLength: 16,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** 32 random bytes for links and cookies. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** The form in which tokens are stored. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)

const generate = promisify(generateKeyPair)

/** One at a time: each occupies a thread of the pool that files, look-ups and database log-ins need too. */
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
