/** One PostgreSQL for a whole test run, with a migrated template that every test file clones. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/storage/database.ts'
import { makeCluster } from '#server/storage/embedded-postgres/cluster.ts'
import { findRuntime } from '#server/storage/embedded-postgres/runtime.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { migrate } from '#server/storage/open-storage.ts'
import { copyCluster, copyFrom } from './data-dir.ts'
import { aRunFolder } from './run-folder.ts'

/** The product's own database on that server, migrated; it can be cloned only without connections to it. */
export const TEMPLATE = 'mailstead'

export type TestPostgres = { host: string; port: number; user: string; password: string }

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = aRunFolder()
  await makeTemplate(folder)
  letInWithoutPassword(folder)
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    maxConnections: 300,
    isDurable: false,
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

/** To prove a password takes both sides as long as a few queries, at each of a run's thousands of connections. */
const letInWithoutPassword = (folder: string): void => {
  const path = join(folder, 'postgres', 'pg_hba.conf')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('scram-sha-256', 'trust'))
}

/** The template for tests that start their own PostgreSQL: a cluster before its first start. */
const makeTemplate = async (folder: string): Promise<void> => {
  await makeCluster(folder, findRuntime(folder), false)
  const template = join(folder, 'template')
  mkdirSync(template)
  copyCluster(folder, template)
  copyFrom(template)
}
