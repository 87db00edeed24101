import { sql } from 'kysely'
import type { ActionOrder } from '#contract/operator/actions.ts'
import { type ActionRow, actionRows } from '#server/features/operators/operator-queries.ts'
import type { Placed, Range, Sought } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { sortedBy } from '#server/storage/sorted-rows.ts'

export const readActionPage = async (
  db: Db,
  search: Sought<ActionOrder>,
  range: Range,
): Promise<(ActionRow & Placed)[]> => {
  const key = { by: sql`a.at`, kind: 'time' } as const
  const sorted = sortedBy(key, sql`a.id`, search.direction, range)
  return db
    .selectFrom(actionRows(db).as('a'))
    .selectAll('a')
    .select(sorted.value.as('sortValue'))
    .where(isFound(search))
    .where(sorted.isBeyond)
    .orderBy(sorted.order)
    .limit(sorted.limit)
    .execute()
}

export const countActions = async (db: Db, search: Sought<ActionOrder>): Promise<number> => {
  const { count } = await db
    .selectFrom(actionRows(db).as('a'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isFound(search))
    .executeTakeFirstOrThrow()
  return count
}

const isFound = ({ pattern }: Pick<Sought<ActionOrder>, 'pattern'>) =>
  pattern === null
    ? sql<boolean>`true`
    : sql<boolean>`(a.operator ilike ${pattern} or a.verb ilike ${pattern} or a.subject ilike ${pattern} or a.detail ilike ${pattern})`

/** Newest first. */
export const readActionsOf = (db: Db, workspaceId: string, limit: number): Promise<ActionRow[]> =>
  actionRows(db)
    .where('workspaceId', '=', workspaceId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** What was done to an account, and by its owner; newest first. */
export const readActionsAbout = (db: Db, email: string, limit: number): Promise<ActionRow[]> =>
  actionRows(db)
    .where(({ or, eb }) => or([eb('subject', '=', email), eb('operator', '=', email)]))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
