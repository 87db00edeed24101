/** The parts of a query that reads one page of a list in its order (decision 111). */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Range, SortKind } from '#server/lib/list-pages.ts'

/** `by`: never null. */
export type SortKey = { by: RawBuilder<unknown>; kind: SortKind }

export type SortedPart = {
  /** The value of a row, for cursors. */
  value: RawBuilder<string>
  isBeyond: RawBuilder<SqlBool>
  /** Behind `order by`. */
  order: RawBuilder<unknown>
  limit: number
}

export const sortedBy = (
  { by, kind }: SortKey,
  id: RawBuilder<unknown>,
  direction: 'up' | 'down',
  { from, isBackwards, limit }: Range,
): SortedPart => {
  const isDown = (direction === 'down') !== isBackwards
  const [sign, side] = isDown ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  return {
    value: sql<string>`${asText(by, kind)}`,
    isBeyond:
      from === null
        ? sql<SqlBool>`true`
        : sql<SqlBool>`(${by}, ${id}) ${sign} (${asValue(from.value, kind)}, ${from.id}::uuid)`,
    order: sql`${by} ${side}, ${id} ${side}`,
    limit,
  }
}

const asText = (by: RawBuilder<unknown>, kind: SortKind) =>
  kind === 'time' ? sql`(extract(epoch from ${by}) * 1000000)::bigint::text` : sql`(${by})::text`

const asValue = (value: string, kind: SortKind) => {
  if (kind === 'text') return sql`${value}::text`
  if (kind === 'number') return sql`${value}::bigint`
  return sql`'epoch'::timestamptz + ${value}::bigint * interval '1 microsecond'`
}

/** Names are long, and cursors short. */
export const foldedName = (name: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`left(lower(${name}), 60)`
