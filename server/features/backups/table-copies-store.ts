/** Tables, out of the database and into another one, in PostgreSQL's text format, which every version reads. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { asList, countLines, quoted, type TableColumns } from '#server/storage/copied-tables.ts'
import type { CopiedTable } from './manifest.ts'
import type { SealedPlace } from './sealed-place.ts'

const PIECE_BYTES = 8_000_000

/** Writes the rows as objects in the folder. */
export const copyOut = async (
  client: pg.ClientBase,
  place: SealedPlace,
  folder: string,
  table: TableColumns,
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
export const namingBlobs = (tables: readonly TableColumns[]): string[] =>
  tables.filter(({ columns }) => columns.includes('blob')).map(({ name }) => name)

/**
 * A blob has another name in another store: what stays is its SHA-256, the last 64 letters. `names`: by that hash. They stay in the
 * temporary table restored_blobs.
 */
export const renameBlobs = async (
  client: pg.ClientBase,
  tables: readonly string[],
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  await client.query(
    'create temporary table restored_blobs (hash text primary key, name text not null)',
  )
  const stream = client.query(copyFrom('copy restored_blobs from stdin'))
  await pipeline(Readable.from(nameLines(names)), stream)
  await client.query('analyze restored_blobs')
  for (const table of tables)
    await client.query(
      `update ${quoted(table)} t set blob = r.name from restored_blobs r
      where t.blob is not null and r.hash = right(t.blob, 64) and r.name != t.blob`,
    )
}

function* nameLines(names: ReadonlyMap<string, string>): Generator<string> {
  for (const [hash, name] of names) yield `${hash}\t${name}\n`
}

/** The names of all blobs to which rows refer, a line each. */
export const copyBlobNames = async (
  client: pg.ClientBase,
  tables: readonly TableColumns[],
): Promise<Buffer> => {
  const each = namingBlobs(tables).map(
    (table) => `select blob from ${quoted(table)} where blob is not null`,
  )
  // In the order of their names: those of one segment follow each other.
  const query = `copy (${each.join(' union ')} order by blob) to stdout`
  return Buffer.concat(await Array.fromAsync(client.query(copyTo(query))))
}

export function* linesOf(bytes: Buffer): Generator<string> {
  for (
    let from = 0, end = bytes.indexOf(10);
    end >= 0;
    from = end + 1, end = bytes.indexOf(10, from)
  )
    yield bytes.toString('latin1', from, end)
}
