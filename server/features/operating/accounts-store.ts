import { sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { operatorRows } from '#server/features/operators/operator-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

/** The newest first. `pattern`: of the name or the address. */
export const readAccounts = (
  db: Db,
  pattern: string | null,
  { offset, limit }: { offset: number; limit: number },
) => {
  const rows = userRows(db).orderBy('createdAt', 'desc').orderBy('id').offset(offset).limit(limit)
  const isFound = sql<boolean>`(email ilike ${pattern} or first_name || ' ' || last_name ilike ${pattern})`
  return (pattern === null ? rows : rows.where(isFound)).execute()
}

/** The workspaces of these users, oldest membership first. */
export const readPlaces = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom(memberRows(db).as('m'))
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'm.workspaceId')
    .select(['m.userId', 'm.role', 'w.id', 'w.name'])
    .where('m.userId', '=', isOneOf(userIds))
    .orderBy('m.createdAt')
    .execute()

export const readOperators = (db: Db, userIds: readonly string[]) =>
  operatorRows(db).where('userId', '=', isOneOf(userIds)).execute()

const isOneOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`
