/** Our account at ACME_DIRECTORY: one for all processes, made when it is first needed. */
import { readFile } from 'node:fs/promises'
import type { App } from '#server/app.ts'
import { accountKey, newKeyPem } from '#server/lib/acme/account-key.ts'
import { type AcmeClient, openAcmeClient } from '#server/lib/acme/acme-client.ts'
import { AcmeTrouble } from '#server/lib/acme/acme-trouble.ts'
import { reasonOf } from '#server/lib/ports/bound-ports.ts'
import { insertAccount, noteAccountUrl, readAccount } from './acme-store.ts'

export type Acme = NonNullable<App['config']['acme']>

/** @throws AcmeTrouble */
export const openAccount = async (
  app: App,
  { directoryUrl, email, caFile }: Acme,
  signal: AbortSignal,
): Promise<AcmeClient> => {
  const { keySealed, url } = await keptAccount(app, directoryUrl)
  const key = accountKey(app.secrets.decrypt(keySealed, contextOf(directoryUrl)))
  const { dns } = app
  const { allowLoopbackPeers } = app.config
  const network = { dns, allowLoopbackPeers, directoryUrl, roots: await rootsIn(caFile) }
  const client = openAcmeClient(network, key, { accountUrl: url, signal })
  if (url === null) await noteAccountUrl(app.db, directoryUrl, await client.register(email))
  return client
}

/** The next order makes it anew, with the same key. */
export const forgetAccount = (app: App, { directoryUrl }: Acme): Promise<void> =>
  noteAccountUrl(app.db, directoryUrl, null)

const keptAccount = async (app: App, directoryUrl: string) => {
  const known = await readAccount(app.db, directoryUrl)
  if (known !== undefined) return known
  const keySealed = app.secrets.encrypt(newKeyPem(), contextOf(directoryUrl))
  await insertAccount(app.db, { directoryUrl, keySealed, createdAt: app.clock.now() })
  const kept = await readAccount(app.db, directoryUrl)
  if (kept === undefined) throw new Error('the account of the directory was not stored')
  return kept
}

const contextOf = (directoryUrl: string): string => `acme-account:${directoryUrl}`

const rootsIn = async (file: string | null): Promise<string | null> => {
  if (file === null) return null
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new AcmeTrouble(`ACME_CA is ${file}, which cannot be read: ${reasonOf(error)}.`)
  }
}
