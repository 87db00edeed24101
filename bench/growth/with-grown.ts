/** The product, or its database alone, on what was loaded. */
import pg from 'pg'
import { type Database, openDatabase } from '#server/storage/database.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { freePort } from '#test-world/free-port.ts'
import { connectionIn } from '#test-world/postgres/in-folder.ts'
import { type Product, startProduct } from '../product.ts'
import type { Grown } from './installation.ts'

export type Opened = { db: Database; client: pg.Client }
export type Served = Opened & { product: Product; imapsPort: number; grown: Grown }

export const withDatabase = async <T>(
  dataDir: string,
  use: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir })
  try {
    return await withConnections(connection, use)
  } finally {
    await stop()
  }
}

/** Mail comes from example.org, which has no policy. */
export const withProduct = async <T>(
  dataDir: string,
  grown: Grown,
  use: (served: Served) => Promise<T>,
): Promise<T> => {
  const dns = await aDnsServer()
  dns.zone('example.org')
  try {
    const imapsPort = await freePort()
    const product = await startProduct(dataDir, {
      ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port), IMAPS_PORT: String(imapsPort) },
    })
    try {
      const connection = { ...connectionIn(dataDir), database: 'mailstead' }
      return await withConnections(connection, (opened) =>
        use({ ...opened, product, imapsPort, grown }),
      )
    } finally {
      await product.stop()
    }
  } finally {
    await dns.close()
  }
}

const withConnections = async <T>(
  connection: pg.ClientConfig,
  use: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const db = openDatabase({ connection, maxConnections: 4 }, () => {})
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await use({ db, client })
  } finally {
    await client.end()
    await db.destroy()
  }
}
