/** The database of a backup: its own connection, its locks, and all tables as they were at one moment. */
import type pg from 'pg'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { sequencesOf, tablesOf } from '#server/storage/copied-tables.ts'
import { BACKUP_LOCK, noticeDeath, SWEEP_LOCK, tryLock } from '#server/storage/locks.ts'
import { namesDone } from '#server/storage/migrations/records.ts'
import { withConnection } from '#server/storage/own-connection.ts'
import type { Manifest } from './manifest.ts'
import type { SealedPlace } from './sealed-place.ts'
import { copyBlobNames, copyOut } from './table-copies-store.ts'

export type Client = pg.Client

const connected = <T>(
  connection: pg.ClientConfig,
  use: (client: Client) => Promise<T>,
): Promise<T> => withConnection(connection, 'mailstead backup', use)

/** While nobody else backs up, and no blob is swept away. @throws StartError when another backup is under way */
export const undisturbed = <T>(
  connection: pg.ClientConfig,
  use: (client: Client) => Promise<T>,
): Promise<T> =>
  connected(connection, async (client) => {
    if (!(await tryLock(client, BACKUP_LOCK))) throw new StartError('Another backup is under way.')
    await client.query('select pg_advisory_lock_shared($1)', [SWEEP_LOCK])
    return use(client)
  })

/** The names of all blobs to which rows refer, a line each. While they are used, no blob is swept away. */
export const allBlobNames = <T>(
  connection: pg.ClientConfig,
  use: (names: Buffer) => Promise<T>,
): Promise<T> =>
  connected(connection, async (client) => {
    await noticeDeath(client)
    await client.query('select pg_advisory_lock_shared($1)', [SWEEP_LOCK])
    return use(await copyBlobNames(client, await tablesOf(client)))
  })

/** All of one moment. */
export const copyTables = async (client: Client, place: SealedPlace, folder: string) => {
  await client.query('begin isolation level repeatable read read only')
  const migrations = await namesDone((text) => client.query(text))
  const version = await client.query<{ server_version: string }>('show server_version')
  const known = await tablesOf(client)
  const tables: Manifest['tables'] = []
  let writtenBytes = 0
  for (const table of known) {
    const copy = await copyOut(client, place, folder, table)
    tables.push(copy.copied)
    writtenBytes += copy.writtenBytes
  }
  const [sequences, names] = [await sequencesOf(client), await copyBlobNames(client, known)]
  await client.query('commit')
  return {
    ...{ tables, sequences, names, writtenBytes },
    migrations,
    postgres: version.rows[0]?.server_version ?? '',
  }
}
