/**
 * Fills an empty database with the tables of a backup, in one transaction. Meanwhile it has no foreign keys, no triggers and no indexes but
 * those of keys: rows come in any order, and what triggers would write is among them.
 */
import type pg from 'pg'
import { putAside, quoted, setSequences, tablesOf } from '#server/storage/copied-tables.ts'
import { withConnection } from '#server/storage/own-connection.ts'
import type { Manifest } from './manifest.ts'
import { BackupDamaged, type SealedPlace } from './sealed-place.ts'
import { copyIn, namingBlobs, renameBlobs } from './table-copies-store.ts'

/** `names`: by the SHA-256 of each blob, its name here. @throws BackupDamaged; then nothing was written */
export const loadTables = (
  connection: pg.ClientConfig,
  place: SealedPlace,
  { tables, sequences }: Manifest,
  names: ReadonlyMap<string, string>,
): Promise<void> =>
  withConnection(connection, 'mailstead restore', async (client) => {
    await client.query('begin')
    await client.query("set local maintenance_work_mem = '256MB'")
    const all = (await tablesOf(client)).map(({ name }) => name)
    const missing = all.filter((name) => !tables.some((table) => table.name === name))
    if (missing.length > 0) throw new BackupDamaged(missing.join(', '), 'missing')
    const again = await putAside(client, all)
    await client.query(`truncate ${all.map(quoted).join(', ')}`)
    for (const table of tables)
      if ((await copyIn(client, place, table)) !== table.rows)
        throw new BackupDamaged(table.name, 'damaged')
    await renameBlobs(client, namingBlobs(tables), names)
    for (const command of again) await client.query(command)
    await setSequences(client, sequences)
    await client.query('commit')
  })
