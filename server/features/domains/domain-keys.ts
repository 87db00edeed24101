/** The DKIM keys of domains. A private key leaves this file only to sign. */
import { generateKeyPairSync, randomInt } from 'node:crypto'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { makeRsaKey } from '#server/lib/secrets.ts'
import type { SigningKey } from '#server/standards/dkim-sign.ts'
import type { Db } from '#server/storage/database.ts'
import { type DomainKeyRow, insertKey } from './domains-store.ts'
import { readSigningKeys } from './records-store.ts'

export type NewKey = Omit<DomainKeyRow, 'domainId' | 'workspaceId'>

/** Made off the event loop and not stored yet. */
export const makeKey = async (app: App): Promise<NewKey> => newKey(app, 'rsa', await makeRsaKey())

/** Ed25519 (RFC 8463), beside the first: receivers that do not know it use that one. */
export const makeSecondKey = (app: App): NewKey => {
  const pair = generateKeyPairSync('ed25519')
  const der = pair.publicKey.export({ type: 'spki', format: 'der' })
  return newKey(app, 'ed25519', {
    privateKeyPem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    // The key alone, without what says of which kind it is (§4).
    publicKey: der.subarray(-ED25519_BYTES).toString('base64'),
  })
}

const ED25519_BYTES = 32

const newKey = (
  app: App,
  algorithm: NewKey['algorithm'],
  { privateKeyPem, publicKey }: { privateKeyPem: string; publicKey: string },
): NewKey => {
  const id = newId()
  const createdAt = app.clock.now()
  return {
    id,
    // Never one that an earlier owner of the name may have published.
    selector: `ms${createdAt.toISOString().slice(2, 10).replaceAll('-', '')}${randomInt(1000, 10_000)}`,
    algorithm,
    privateKeySealed: app.secrets.encrypt(privateKeyPem, contextOf(id)),
    publicKey,
    createdAt,
  }
}

export const storeKey = (
  db: Db,
  domain: { id: string; workspaceId: string },
  key: NewKey,
): Promise<void> => insertKey(db, { ...key, domainId: domain.id, workspaceId: domain.workspaceId })

/** For mail whose sender was found to belong to this domain. RSA, and Ed25519 while its record is verified. */
export const signingKeysOf = async (app: App, domainId: string): Promise<SigningKey[]> =>
  (await readSigningKeys(app.db, domainId)).map(
    ({ id, selector, algorithm, privateKeySealed }) => ({
      selector,
      algorithm,
      privateKeyPem: app.secrets.decrypt(privateKeySealed, contextOf(id)),
    }),
  )

const contextOf = (keyId: string): string => `domain-key:${keyId}`
