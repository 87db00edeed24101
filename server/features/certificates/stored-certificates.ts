/** The certificates in the database, for the doors of this process: which names have one is known, each is read when it is asked for. */
import type { App } from '#server/app.ts'
import {
  type Certificates,
  openCertificates,
  type StoredCertificates,
} from '#server/lib/tls/certificates.ts'
import { CERTIFICATES_CHANNEL } from '#server/storage/notifications.ts'
import { readCertificate, readStanding } from './certificates-store.ts'
import { keySealContext } from './key-seal.ts'

type World = Pick<App, 'config' | 'db' | 'listener' | 'secrets' | 'clock' | 'log'>

/** What the doors of a process show: the operator's files, what is stored, else a self-signed one. */
export const certificatesOf = (world: World): Certificates => {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, dataDir, mailHost, acme } = world.config
  const onWarning = (sentence: string) => world.log.warn(sentence)
  const files = { certFile, keyFile, dataDir, mailHost, onWarning }
  return openCertificates(files, acme === null ? null : storedCertificates(world))
}

type Standing = { issuedAt: Date | null; expiresAt: Date | null }

const storedCertificates = ({ db, listener, secrets, clock, log }: World): StoredCertificates => {
  const standing = new Map<string, Standing>()
  /** `only`: this name alone; null: all. */
  const look = async (only: string | null) => {
    const rows = await readStanding(db, clock.now(), only)
    if (only === null) standing.clear()
    else standing.delete(only)
    for (const { name, ...at } of rows) standing.set(name, at)
  }
  return {
    watch: async (tell) => {
      const lookAgain = (name: string | null) =>
        look(name).then(tell, (error: unknown) =>
          log.warn({ err: error }, 'new certificates could not be read'),
        )
      const stop = await listener.subscribe(CERTIFICATES_CHANNEL, (name) => void lookAgain(name))
      await look(null)
      return stop
    },
    versionOf: (name) => {
      const found = standing.get(name)
      if (found?.issuedAt == null || found.expiresAt === null) return null
      return found.expiresAt > clock.now() ? found.issuedAt.toISOString() : null
    },
    read: async (name) => {
      const row = await readCertificate(db, name, clock.now())
      if (row?.chain == null || row.keySealed === null) return null
      return { cert: row.chain, key: secrets.decrypt(row.keySealed, keySealContext(name)) }
    },
  }
}
