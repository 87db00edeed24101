/** One PostgreSQL for a whole test run, with a migrated template that every test file clones. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/storage/database.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { migrate } from '#server/storage/migrate.ts'

/** The product's own database of that server, migrated; nobody may be connected to it while it is cloned. */
export const TEMPLATE = 'mailstead'

export type TestPostgres = { host: string; port: number; user: string; password: string }

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

const PREFIX = 'mailstead-test-run-'

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  removeOrphans()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
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

/** A run that was killed could not stop its server. The folder names the run, the server works in the folder. */
const removeOrphans = (): void => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    if (isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue
    try {
      const pidFile = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8')
      const pid = Number(pidFile.split('\n')[0])
      if (readlinkSync(`/proc/${pid}/cwd`) === join(folder, 'postgres'))
        process.kill(pid, 'SIGQUIT')
    } catch {
      // No server, or not ours to stop.
    }
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Somebody else's, or its server is still writing; the next run removes it.
    }
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
