import { sql } from 'kysely'
import type { ListedOrder } from '#contract/operator/lists.ts'
import { type ListedRow, listedRows } from '#server/features/junk/sender-list-queries.ts'
import type { Placed, Range, Sought } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { sortedBy } from '#server/storage/sorted-rows.ts'

type Search = Sought<ListedOrder> & { now: Date }

export const readListedPage = (
  db: Db,
  search: Search,
  range: Range,
): Promise<(ListedRow & Placed)[]> => {
  const key = { by: sql`l.made_at`, kind: 'time' } as const
  const sorted = sortedBy(key, sql`l.id`, search.direction, range)
  return db
    .selectFrom(listedRows(db, search.now).as('l'))
    .selectAll('l')
    .select(sorted.value.as('sortValue'))
    .where(isFound(search))
    .where(sorted.isBeyond)
    .orderBy(sorted.order)
    .limit(sorted.limit)
    .execute()
}

export const countListed = async (db: Db, search: Search): Promise<number> => {
  const { count } = await db
    .selectFrom(listedRows(db, search.now).as('l'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isFound(search))
    .executeTakeFirstOrThrow()
  return count
}

const isFound = ({ pattern }: Pick<Search, 'pattern'>) =>
  pattern === null
    ? sql<boolean>`true`
    : sql<boolean>`(l.value ilike ${pattern} or l.note ilike ${pattern})`
