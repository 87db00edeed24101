/** The DKIM key of MAIL_HOST, made on first need. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { App } from '#server/app.ts'
import type { SigningKey } from '#server/standards/dkim-sign.ts'
import type { Db } from '#server/storage/database.ts'
import { findSystemKey, insertSystemKey } from './outbox-store.ts'

const generate = promisify(generateKeyPair)
const SELECTOR = 'mailstead'

export type SystemKey = SigningKey & {
  domain: string
  /** base64 of the DER SubjectPublicKeyInfo: the `p=` value. */
  publicKey: string
}

export const systemKeyOf = async (app: App, db: Db): Promise<SystemKey> => {
  const domain = app.config.mailHost
  if ((await findSystemKey(db, domain)) === undefined) await makeKey(app, db, domain)
  const row = await findSystemKey(db, domain)
  if (row === undefined) throw new Error('the key of MAIL_HOST was not stored')
  return {
    domain,
    selector: row.selector,
    algorithm: 'rsa',
    privateKeyPem: app.secrets.decrypt(row.privateKeySealed, contextOf(domain)),
    publicKey: row.publicKey,
  }
}

const makeKey = async (app: App, db: Db, domain: string): Promise<void> => {
  const pair = await generate('rsa', { modulusLength: 2048 })
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await insertSystemKey(db, {
    domain,
    selector: SELECTOR,
    privateKeySealed: app.secrets.encrypt(pem, contextOf(domain)),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    createdAt: app.clock.now(),
  })
}

const contextOf = (domain: string): string => `system-key:${domain}`
