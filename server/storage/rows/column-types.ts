/** Column types that differ between reading and writing. */
import type { ColumnType, JSONColumnType } from 'kysely'

/** Written as the text of a JSON document. */
export type Json<T> = JSONColumnType<T & object, string, string>

/** Null in a new row, where an insert leaves it out. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

/** PostgreSQL sets the value when an insert leaves it out: only for columns that a new row cannot set. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>
