/** The DKIM keys of domains. A private key leaves this file only to sign. */
import { generateKeyPairSync, randomInt } from 'node:crypto'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { makeRsaKey } from '#server/lib/secrets.ts'
import type { SigningKey } from '#server/standards/dkim-sign.ts'
import type { Db } from '#server/storage/database.ts'
import { type DomainKeyRow, insertKey } from './domain-queries.ts'
import { readSigningKeys } from './record-queries.ts'

export type NewKey = Omit<DomainKeyRow, 'domainId' | 'workspaceId'>

/** Generates a key without blocking the event loop; does not store it. */
export const makeKey = async (app: App): Promise<NewKey> => newKey(app, 'rsa', await makeRsaKey())

/** Ed25519 (RFC 8463). Receivers that do not know it verify the RSA signature. */
export const makeSecondKey = (app: App): NewKey => {
  const pair = generateKeyPairSync('ed25519')
  const der = pair.publicKey.export({ type: 'spki', format: 'der' })
  return newKey(app, 'ed25519', {
    privateKeyPem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    // The raw key without its algorithm identifier (§4).
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
    // Random, so that it never equals a selector that an earlier owner of the name published.
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

/** RSA, and Ed25519 while its record is verified. Callers check first that the sender's address is of this domain. */
export const signingKeysOf = async (app: App, domainId: string): Promise<SigningKey[]> =>
  (await readSigningKeys(app.db, domainId)).map(
    ({ id, selector, algorithm, privateKeySealed }) => ({
      selector,
      algorithm,
      privateKeyPem: app.secrets.decrypt(privateKeySealed, contextOf(id)),
    }),
  )

const contextOf = (keyId: string): string => `domain-key:${keyId}`
