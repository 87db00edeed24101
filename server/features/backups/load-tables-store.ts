/**
 * Fills an empty database with the tables of a backup, in one transaction. Meanwhile it has no foreign keys, no triggers and no indexes but
 * those of keys: rows come in any order, and what triggers would write is among them.
 */
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Manifest } from './manifest.ts'
import { BackupDamaged, type SealedPlace } from './sealed-place.ts'
import { withClient } from './snapshot-store.ts'
import { copyIn, namingBlobs, quoted, tablesOf } from './table-copies-store.ts'

/** `names`: by the SHA-256 of each blob, its name here. @throws BackupDamaged; then nothing was written */
export const loadTables = (
  connection: pg.ClientConfig,
  place: SealedPlace,
  { tables, sequences }: Manifest,
  names: ReadonlyMap<string, string>,
): Promise<void> =>
  withClient(connection, async (client) => {
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
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2)', [quoted(name), value])
    await client.query('commit')
  })

/** @returns the commands that bring everything back */
const putAside = async (client: pg.Client, tables: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ aside: string; again: string }>(
    `select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as aside,
      format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as again
    from pg_constraint k where k.connamespace = current_schema()::regnamespace and k.contype = 'f'
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype != 'f')`,
  )
  for (const { aside } of rows) await client.query(aside)
  for (const table of tables)
    await client.query(`alter table ${quoted(table)} disable trigger user`)
  return [
    // Foreign keys may need an index.
    ...rows.map(({ again }) => again).toReversed(),
    ...tables.map((table) => `alter table ${quoted(table)} enable trigger user`),
  ]
}

/** A blob has another name in another store: what stays is its SHA-256, the last 64 letters. */
const renameBlobs = async (
  client: pg.Client,
  tables: readonly string[],
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  await client.query(
    'create temporary table restored_blobs (hash text primary key, name text not null) on commit drop',
  )
  const stream = client.query(copyFrom('copy restored_blobs from stdin'))
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('finish', resolve).once('error', reject)
  })
  for (const [hash, name] of names)
    if (!stream.write(`${hash}\t${name}\n`))
      await new Promise((resolve) => stream.once('drain', resolve))
  stream.end()
  await ended
  await client.query('analyze restored_blobs')
  for (const table of tables)
    await client.query(
      `update ${quoted(table)} t set blob = r.name from restored_blobs r
      where t.blob is not null and r.hash = right(t.blob, 64) and r.name != t.blob`,
    )
}
