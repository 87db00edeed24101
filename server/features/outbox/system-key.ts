/** The DKIM key of MAIL_HOST, made on first need. */
import type { App } from '#server/app.ts'
import { makeRsaKey } from '#server/lib/rsa-key.ts'
import type { SigningKey } from '#server/standards/dkim-sign.ts'
import type { Db } from '#server/storage/database.ts'
import { findSystemKey, insertSystemKey } from './outbox-store.ts'

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
  const { privateKeyPem, publicKey } = await makeRsaKey()
  await insertSystemKey(db, {
    domain,
    selector: SELECTOR,
    privateKeySealed: app.secrets.encrypt(privateKeyPem, contextOf(domain)),
    publicKey,
    createdAt: app.clock.now(),
  })
}

const contextOf = (domain: string): string => `system-key:${domain}`
