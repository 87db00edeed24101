/** Keyset cursors of lists that are ordered by a time and then by id, newest first. */
import { isId } from './ids.ts'

/** The last row of a page: the next page starts after it. */
export type PagePosition = { at: Date; id: string }

export const cursorAt = ({ at, id }: PagePosition): string =>
  Buffer.from(`${at.getTime()}.${id}`).toString('base64url')

/** null when this is not a cursor of ours. */
export const readCursor = (cursor: string): PagePosition | null => {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('.')
  if (!/^\d{1,15}$/.test(time) || !isId(id)) return null
  return { at: new Date(Number(time)), id }
}

/** A page of `limit` from rows that were read with one row more, and the position of the next page. */
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
