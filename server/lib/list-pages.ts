/** Pages of long lists: a cursor is the value and the id of the row at an edge of a page, and the side that is wanted. */
import { isId } from './ids.ts'
import { patternOf } from './search-pattern.ts'

export type Page = { limit: number; cursor?: string | undefined }

/** What the values of a sorted column are. Times are microseconds since 1970. */
export type SortKind = 'time' | 'text' | 'number'

/** `from` null: from the first row. */
export type Range = {
  from: { value: string; id: string } | null
  isBackwards: boolean
  limit: number
}

/** `sortValue`: of the column that the list is sorted by, as `sortedBy` selects it. */
export type Placed = { id: string; sortValue: string }

export type Paged<Row> = { items: Row[]; nextCursor: string | null; previousCursor: string | null }

/** A cursor that is none begins with the first row. */
export const pageOf = async <Row extends Placed>(
  { limit, cursor }: Page,
  kind: SortKind,
  read: (range: Range) => Promise<Row[]>,
): Promise<Paged<Row>> => {
  const found = cursor === undefined ? null : readCursor(cursor, kind)
  const isBackwards = found?.isBackwards ?? false
  const rows = await read({ from: found?.from ?? null, isBackwards, limit: limit + 1 })
  const hasMore = rows.length > limit
  const kept = rows.slice(0, limit)
  const items = isBackwards ? kept.toReversed() : kept
  const [first, last] = [items.at(0), items.at(-1)]
  return {
    items,
    nextCursor: last && (isBackwards || hasMore) ? cursorAt(last, 'after') : null,
    previousCursor: first && (isBackwards ? hasMore : found) ? cursorAt(first, 'before') : null,
  }
}

type Side = 'after' | 'before'

const cursorAt = ({ sortValue, id }: Placed, side: Side): string =>
  Buffer.from(`${side}.${id}.${sortValue}`).toString('base64url')

const readCursor = (
  cursor: string,
  kind: SortKind,
): { from: { value: string; id: string }; isBackwards: boolean } | null => {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const [, side, id = '', value = ''] = /^(after|before)\.([^.]*)\.(.*)$/s.exec(text) ?? []
  const isValue = kind === 'text' ? !value.includes('\0') : /^-?\d{1,18}$/.test(value)
  return isId(id) && isValue ? { from: { value, id }, isBackwards: side === 'before' } : null
}

/** What every list is asked by. */
export type Listing<Order extends string> = Page & {
  q?: string | undefined
  order: Order
  direction: 'up' | 'down'
}

export type Sought<Order extends string> = {
  /** For `ilike`; null: all. */
  pattern: string | null
  order: Order
  direction: 'up' | 'down'
}

export const soughtBy = <Order extends string>({
  q = '',
  order,
  direction,
}: Listing<Order>): Sought<Order> => ({ pattern: patternOf(q), order, direction })
