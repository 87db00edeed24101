/** A primary and a synchronous standby behind one address. A killed primary is not restarted. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { give } from '#server/storage/embedded-postgres/cluster.ts'
import { findRuntime } from '#server/storage/embedded-postgres/runtime.ts'
import { chooseSocketFolder, launch } from '#server/storage/embedded-postgres/server-process.ts'
import { copyCluster, putCluster } from './data-dir.ts'
import { aDatabaseSwitch } from './database-switch.ts'
import { connectionIn, isAnsweringIn } from './in-folder.ts'
import { killPostgres } from './kill-postgres.ts'
import { ask } from './postgres-owner.ts'

export type Pair = {
  /** For DATABASE_URL: leads to the present primary. */
  url: string
  killPrimary(): void
  /** Makes the standby the primary, and the address leads to it. */
  promote(): Promise<void>
  /** The present primary accepts changes. */
  isAnswering(): Promise<boolean>
  close(): void
}

const DATABASE = 'mailstead'

export const aPair = async (folder: string): Promise<Pair> => {
  const [primary, standby] = [join(folder, 'primary'), join(folder, 'standby')]
  for (const each of [primary, standby]) mkdirSync(each, { mode: 0o711 })
  putCluster(primary)
  await start(primary)
  await ask(connectionIn(primary), `create database ${DATABASE}`)
  await copyRunning(primary, standby)
  await start(standby)
  await ask(connectionIn(primary), `alter system set synchronous_standby_names = '*'`)
  await ask(connectionIn(primary), 'select pg_reload_conf()')
  await until(async () => {
    const rows = await ask(connectionIn(primary), 'select sync_state from pg_stat_replication')
    return rows[0]?.sync_state === 'sync'
  })
  const door = await aDatabaseSwitch({
    connection: { ...connectionIn(primary), database: DATABASE },
  })
  let current = primary
  return {
    url: door.url,
    killPrimary: () => killPostgres(primary),
    promote: async () => {
      const connection = connectionIn(standby)
      await ask(connection, 'select pg_promote()')
      current = standby
      door.moveTo(connection.host)
    },
    isAnswering: () => isAnsweringIn(current),
    close: () => {
      door.close()
      for (const each of [primary, standby]) killPostgres(each)
    },
  }
}

const start = async (dataDir: string): Promise<void> => {
  launch({
    ...{ dataDir, runtime: findRuntime(dataDir), socketFolder: chooseSocketFolder(dataDir) },
    ...{ maxConnections: 60, isDurable: true },
  })
  await until(() => isAnsweringIn(dataDir))
}

/** PostgreSQL 18, 25.3.3: changes during the copy arrive by streaming. */
const copyRunning = async (from: string, to: string): Promise<void> => {
  const { host, user, password, database } = connectionIn(from)
  const client = new pg.Client({ host, user, password, database })
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  copyCluster(from, to)
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  const cluster = join(to, 'postgres')
  for (const name of ['postmaster.pid', 'postmaster.opts'])
    rmSync(join(cluster, name), { force: true })
  for (const name of readdirSync(join(cluster, 'pg_wal')))
    if (/^[0-9A-F]{24}$/.test(name)) rmSync(join(cluster, 'pg_wal', name))
  const { account } = findRuntime(to)
  for (const [name, text] of [
    ['backup_label', rows[0].labelfile],
    ['standby.signal', ''],
    [
      'postgresql.auto.conf',
      `primary_conninfo = 'host=${host} user=${user} password=${password}'\n`,
    ],
  ]) {
    writeFileSync(join(cluster, name), text)
    give(join(cluster, name), account)
  }
}

const LONGEST_MS = 60_000

const until = async (isIt: () => Promise<boolean>): Promise<void> => {
  const endsAt = performance.now() + LONGEST_MS
  while (!(await isIt())) {
    if (performance.now() > endsAt) throw new Error('it never came')
    await wait(20)
  }
}
