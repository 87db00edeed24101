/** Helpers for hand-written statements that derive from the table declarations. */
import { type Insertable, type RawBuilder, sql } from 'kysely'

/** A row to insert: each column is a value or an expression of its type. */
export type RawRow<Table> = {
  [Column in keyof Insertable<Table>]:
    | Insertable<Table>[Column]
    | RawBuilder<NonNullable<Insertable<Table>[Column]>>
}

/** As raw text: Kysely takes 80 µs for the column references of a message, which is filed for every mail. */
const names = (columns: readonly string[], before = ''): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${before}"${snakeCase(column)}"`).join())

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The columns for `select`, under their own names. */
export const columnsOf = (table: string, columns: readonly string[]): RawBuilder<unknown> =>
  names(columns, `${table}.`)

/** The same for a statement without plugins, whose rows are not copied to rename their columns. */
export const renamedOf = (table: string, columns: readonly string[]): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${table}."${snakeCase(column)}" as "${column}"`).join())

/** For `insert into`: columns and values in the same order. */
export const insertOf = (
  row: object,
): { columns: RawBuilder<unknown>; values: RawBuilder<unknown> } => ({
  columns: names(Object.keys(row)),
  values: sql.join(Object.values(row)),
})

/** The limit of one statement is 65,535 (a 16-bit count in its message). */
const MAX_PARAMETERS = 60_000

/** Splits the rows into parts that each fit in one statement. */
export const inParts = <Row extends object>(rows: readonly Row[]): Row[][] => {
  const size = Math.floor(MAX_PARAMETERS / Math.max(1, Object.keys(rows[0] ?? {}).length))
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
    rows.slice(part * size, (part + 1) * size),
  )
}
