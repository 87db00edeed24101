/**
 * Tables, out of the database and into another one, in PostgreSQL's text format, which every version reads. Which tables and columns
 * there are is read from the database itself, so that none is forgotten.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { CopiedTable } from './manifest.ts'
import type { SealedPlace } from './sealed-place.ts'

const PIECE_BYTES = 8_000_000

/** Which migrations were done is in the manifest. */
const NOT_COPIED = ['kysely_migration', 'kysely_migration_lock']

type Table = Pick<CopiedTable, 'name' | 'columns'>

/** In the order of their names, without columns that PostgreSQL computes. */
export const tablesOf = async (client: pg.ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = current_schema() and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and c.relname != all($1)
    group by c.relname order by c.relname`,
    [NOT_COPIED],
  )
  return rows
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const asList = ({ name, columns }: Table): string =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`

/** Writes the rows as objects in the folder. */
export const copyOut = async (
  client: pg.ClientBase,
  place: SealedPlace,
  folder: string,
  table: Table,
): Promise<{ copied: CopiedTable; writtenBytes: number }> => {
  const pieces: string[] = []
  let [rows, writtenBytes] = [0, 0]
  for await (const piece of largePieces(client.query(copyTo(`copy ${asList(table)} to stdout`)))) {
    rows += countLines(piece)
    const name = `${folder}/${table.name}-${pieces.length}`
    writtenBytes += await place.write(name, piece)
    pieces.push(name)
  }
  return { copied: { ...table, rows, pieces }, writtenBytes }
}

async function* largePieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    size += chunk.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(waiting)
    ;[waiting, size] = [[], 0]
  }
  if (size > 0) yield Buffer.concat(waiting)
}

const LINE_END = 10

/** A row is a line: line breaks in values are escaped. */
export const countLines = (bytes: Buffer): number => {
  let lines = 0
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) lines++
  return lines
}

/** @returns how many rows were written. @throws BackupDamaged */
export const copyIn = async (
  client: pg.ClientBase,
  place: SealedPlace,
  table: CopiedTable,
): Promise<number> => {
  const stream = client.query(copyFrom(`copy ${asList(table)} from stdin`))
  await pipeline(Readable.from(piecesOf(place, table)), stream)
  return stream.rowCount
}

async function* piecesOf(place: SealedPlace, { pieces }: CopiedTable): AsyncGenerator<Buffer> {
  for (const name of pieces) yield await place.read(name)
}

/** The tables that name blobs. */
export const namingBlobs = (tables: readonly Table[]): string[] =>
  tables.filter(({ columns }) => columns.includes('blob')).map(({ name }) => name)

/** The names of all blobs to which rows refer, a line each. */
export const copyBlobNames = async (
  client: pg.ClientBase,
  tables: readonly Table[],
): Promise<Buffer> => {
  const each = namingBlobs(tables).map(
    (table) => `select blob from ${quoted(table)} where blob is not null`,
  )
  // In the order of their names: those of one segment follow each other.
  const query = `copy (${each.join(' union ')} order by blob) to stdout`
  return Buffer.concat(await Array.fromAsync(client.query(copyTo(query))))
}

export const sequencesOf = async (client: pg.ClientBase): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ name: string; value: number }>(
    `select sequencename as name, last_value as value from pg_sequences
    where schemaname = current_schema() and last_value is not null`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
