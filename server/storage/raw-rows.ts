/** What statements that are written out take from the declaration of a table. */
import { type Insertable, type RawBuilder, sql } from 'kysely'

/** A row to insert, each column as a value or as an expression of its type. */
export type RawRow<Table> = {
  [Column in keyof Insertable<Table>]:
    | Insertable<Table>[Column]
    | RawBuilder<NonNullable<Insertable<Table>[Column]>>
}

/** As text: Kysely takes 80 µs for references to the columns of a message, which is filed for every mail. */
const names = (columns: readonly string[], before = ''): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${before}"${snakeCase(column)}"`).join())

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** For `select`, each column under its own name. */
export const columnsOf = (table: string, columns: readonly string[]): RawBuilder<unknown> =>
  names(columns, `${table}.`)

/** For `insert into`, in the order of the values in `select`. */
export const insertOf = (
  row: object,
): { columns: RawBuilder<unknown>; values: RawBuilder<unknown> } => ({
  columns: names(Object.keys(row)),
  values: sql.join(Object.values(row)),
})

/** Of one statement, which may have 65,535 (a 16-bit count in its message). */
const MOST_PARAMETERS = 60_000

/** Rows in parts that each fit in one statement. */
export const inParts = <Row extends object>(rows: readonly Row[]): Row[][] => {
  const size = Math.floor(MOST_PARAMETERS / Math.max(1, Object.keys(rows[0] ?? {}).length))
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
    rows.slice(part * size, (part + 1) * size),
  )
}
