/** Rows of a table in a backup, one after another, without a database. */
import pg from 'pg'
import type { CopiedTable, Manifest } from './manifest.ts'
import { BackupDamaged, type SealedPlace } from './sealed-place.ts'

/** As PostgreSQL writes it in text; null. By the column's name in the database. */
export type CopiedRow = Readonly<Record<string, string | null>>

/** @throws BackupDamaged */
export async function* rowsOf(
  place: SealedPlace,
  { tables }: Pick<Manifest, 'tables'>,
  name: string,
): AsyncGenerator<CopiedRow> {
  const table = tables.find((each) => each.name === name)
  if (table === undefined) throw new BackupDamaged(name, 'missing')
  for await (const line of rowLinesOf(place, table)) {
    const fields = Buffer.from(line, 'latin1').toString('utf8').split('\t').map(unescaped)
    yield Object.fromEntries(table.columns.map((column, n) => [column, fields[n] ?? null]))
  }
}

/** As they are in the backup: each byte is a letter. @throws BackupDamaged */
export async function* rowLinesOf(
  place: SealedPlace,
  { pieces }: Pick<CopiedTable, 'pieces'>,
): AsyncGenerator<string> {
  let rest = ''
  for (const piece of pieces) {
    // A piece may end within a letter, but never is a line break a part of one.
    const lines = `${rest}${(await place.read(piece)).toString('latin1')}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

const escapes: Record<string, string> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

/** The text format of COPY: `\N` is null, and a backslash begins what would end a field or a line. */
const unescaped = (field: string): string | null =>
  field === '\\N'
    ? null
    : field.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)

const { TIMESTAMPTZ } = pg.types.builtins
const TEXT_ARRAY = 1009

export const asDate = (text: string | null | undefined): Date =>
  pg.types.getTypeParser(TIMESTAMPTZ)(text ?? '') as unknown as Date

export const asTexts = (text: string | null | undefined): string[] =>
  pg.types.getTypeParser(TEXT_ARRAY as never)(text ?? '{}') as unknown as string[]
