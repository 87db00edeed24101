/** Kinds of columns whose type is another one when they are written. */
import type { ColumnType, JSONColumnType } from 'kysely'

/** Written as the text of a JSON document. */
export type Json<T> = JSONColumnType<T & object, string, string>

/** PostgreSQL fills it in when an insert leaves it out: only for what a new row cannot bring. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>
