/** Keyset cursors for lists in the order of time and id, newest first. */
import { isId } from './ids.ts'

/** The last row of a page: the next page starts after it. */
export type PagePosition = { at: Date; id: string }

export const cursorAt = ({ at, id }: PagePosition): string =>
  Buffer.from(`${at.getTime()}.${id}`).toString('base64url')

/** Returns null when the cursor is not valid. */
export const readCursor = (cursor: string): PagePosition | null => {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('.')
  if (!/^\d{1,15}$/.test(time) || !isId(id)) return null
  return { at: new Date(Number(time)), id }
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
