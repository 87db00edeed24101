/** One PostgreSQL for a whole test run, with a migrated template that every test file clones. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/storage/database.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres.ts'
import { migrate } from '#server/storage/migrate.ts'

/** The product's own database of that server, migrated; nobody may be connected to it while it is cloned. */
export const TEMPLATE = 'mailstead'

export type TestPostgres = { host: string; port: number; user: string; password: string }

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-'))
  // As root PostgreSQL runs under another account, which must be able to enter.
  chmodSync(folder, 0o711)
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    maxConnections: 300,
    isDurable: false,
    onLost: (error) => console.error(error),
  })
  const close = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { host, user, password } = postgres.connection
    const db = openDatabase({ connection: postgres.connection, maxConnections: 1 }, () => {})
    await migrate(db).finally(() => db.destroy())
    project.provide('postgres', { host, port: 5432, user, password })
  } catch (error) {
    await close()
    throw error
  }
  return close
}
