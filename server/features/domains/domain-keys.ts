/** The DKIM keys of domains. A private key leaves this file only to sign. */
import { randomInt } from 'node:crypto'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { makeRsaKey } from '#server/lib/rsa-key.ts'
import type { SigningKey } from '#server/standards/dkim-sign.ts'
import type { Db } from '#server/storage/database.ts'
import { type DomainKeyRow, insertKey, readKeys } from './domains-store.ts'

export type NewKey = Omit<DomainKeyRow, 'domainId' | 'workspaceId'>

/** Made off the event loop and not stored yet. */
export const makeKey = async (app: App): Promise<NewKey> => {
  const { privateKeyPem, publicKey } = await makeRsaKey()
  const id = newId()
  const createdAt = app.clock.now()
  return {
    id,
    // Never one that an earlier owner of the name may have published.
    selector: `ms${createdAt.toISOString().slice(2, 10).replaceAll('-', '')}${randomInt(1000, 10_000)}`,
    algorithm: 'rsa',
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

/** For mail whose sender was found to belong to this domain. */
export const signingKeysOf = async (app: App, domainId: string): Promise<SigningKey[]> =>
  (await readKeys(app.db, domainId)).map(({ id, selector, algorithm, privateKeySealed }) => ({
    selector,
    algorithm,
    privateKeyPem: app.secrets.decrypt(privateKeySealed, contextOf(id)),
  }))

const contextOf = (keyId: string): string => `domain-key:${keyId}`
