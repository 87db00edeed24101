/** Takes the database of a DATA_DIR back to an older PostgreSQL, as if it had been made there: with all its rows. Nothing runs meanwhile. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { copyDatabase } from '#server/storage/carry-over/copy-database.ts'
import { openDatabase } from '#server/storage/database.ts'
import { findRuntime, runtimeIn } from '#server/storage/embedded-postgres/runtime.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { migrate } from '#server/storage/open-storage.ts'

const root = join(import.meta.dirname, '../..')

/** The programs are left in DATA_DIR, where a start would put them. */
export const makeOlder = async (dataDir: string, major: number): Promise<void> => {
  ownPrograms(dataDir)
  const home = join(dataDir, 'runtime', `postgres-${major}`)
  if (!existsSync(home)) execFileSync('cp', ['-a', fetched(major), home])
  const runtime = runtimeIn(home, findRuntime(dataDir))
  const part = mkdtempSync(join(dataDir, 'older-'))
  execFileSync('cp', ['-a', join(dataDir, 'database-password'), part])
  const [now, older] = [
    await startEmbeddedPostgres({ dataDir, isDurable: false }),
    await startEmbeddedPostgres({ dataDir: part, runtime, isDurable: false }),
  ]
  const db = openDatabase({ connection: older.connection, maxConnections: 1 }, () => {})
  await migrate(db).finally(() => db.destroy())
  const [from, to] = [new pg.Client(now.connection), new pg.Client(older.connection)]
  await Promise.all([from.connect(), to.connect()])
  await copyDatabase(from, to)
  await Promise.all([from.end(), to.end()])
  await Promise.all([now.stop(), older.stop()])
  rmSync(join(dataDir, 'postgres'), { recursive: true })
  renameSync(join(part, 'postgres'), join(dataDir, 'postgres'))
  rmSync(part, { recursive: true })
}

/** Once for all runs, like Chromium. */
const fetched = (major: number): string => {
  const home = join(root, '.runtime', `postgres-${major}`)
  const script = join(root, 'scripts/launch/fetch-postgres.js')
  if (!existsSync(home)) execFileSync(process.execPath, [script, String(major), home])
  return home
}

/** In place of the folder that all test data folders share. */
const ownPrograms = (dataDir: string): void => {
  const programs = join(dataDir, 'runtime')
  if (!existsSync(programs)) mkdirSync(programs, { mode: 0o755 })
  if (!lstatSync(programs).isSymbolicLink()) return
  const shared = realpathSync(programs)
  rmSync(programs)
  mkdirSync(programs, { mode: 0o755 })
  for (const name of readdirSync(shared)) symlinkSync(join(shared, name), join(programs, name))
}
