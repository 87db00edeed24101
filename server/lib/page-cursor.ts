/** Keyset cursors for lists in the order of a time, or another whole number, and the id. */
import { isId } from './ids.ts'

/** The last row of a page: the next page starts after it. */
export type PagePosition = { at: Date; id: string }

/** In a list that is sorted by a whole number of its rows. */
export type SortPosition = { value: number; id: string }

export const cursorAt = ({ at, id }: PagePosition): string =>
  sortCursorAt({ value: at.getTime(), id })

export const sortCursorAt = ({ value, id }: SortPosition): string =>
  Buffer.from(`${value}.${id}`).toString('base64url')

/** Returns null when the cursor is not valid. */
export const readCursor = (cursor: string): PagePosition | null => {
  const found = readSortCursor(cursor)
  return found && { at: new Date(found.value), id: found.id }
}

/** Returns null when the cursor is not valid. */
export const readSortCursor = (cursor: string): SortPosition | null => {
  const [value = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('.')
  if (!/^\d{1,15}$/.test(value) || !isId(id)) return null
  return { value: Number(value), id }
}

/** The first `limit` rows and the cursor of the next page; the caller reads one row more than `limit`. */
export const pageOf = <Row>(
  rows: Row[],
  limit: number,
  position: (row: Row) => PagePosition,
): { items: Row[]; nextCursor: string | null } => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(position(last)) : null,
  }
}
