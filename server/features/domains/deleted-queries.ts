/** Deleted domains, which wait for their end (decision 062). */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { type DomainRow, updateDomain } from './domain-queries.ts'

export const deletedDomainRows = (db: Db) =>
  db
    .selectFrom('domains')
    .select(['id', 'workspaceId', 'name', 'deletedBy'])
    .select((of) => of.ref('endsAt').$notNull().as('endsAt'))
    .where('endsAt', 'is not', null)

export const deletedDomainRow = (db: Db, workspaceId: string, id: string) =>
  deletedDomainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Locks the domain like `lockWholeDomain`. */
export const lockDeletedDomain = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<DomainRow | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .where('endsAt', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

type Deleted = {
  endsAt: Date
  deletedBy: string
  /** The Admins are told later, together with others; null: they are told now. */
  deletionUntoldSince: Date | null
}

/** null: restored. The domain is locked. */
export const markDomain = (
  db: Db,
  domain: { workspaceId: string; id: string },
  deleted: Deleted | null,
): Promise<void> =>
  updateDomain(db, domain, deleted ?? { endsAt: null, deletedBy: null, deletionUntoldSince: null })

/**
 * Workspaces with deletions to tell: none of them after `quietSince`, because a list that is still being deleted waits; or one of
 * them from before `latest`, because otherwise whoever deletes something again and again would keep all of it untold.
 */
export const workspacesToTell = async (
  db: Db,
  { quietSince, latest }: { quietSince: Date; latest: Date },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('domains')
    .select('workspaceId')
    .where('deletionUntoldSince', 'is not', null)
    .groupBy('workspaceId')
    .having(({ eb, fn, or }) =>
      or([
        eb(fn.max('deletionUntoldSince'), '<=', quietSince),
        eb(fn.min('deletionUntoldSince'), '<=', latest),
      ]),
    )
    .execute()
  return rows.map(({ workspaceId }) => workspaceId)
}

/** Takes the marks away; what another process tells right now is left to it. */
export const lockUntoldDomains = async (tx: Db, workspaceId: string) => {
  const rows = await deletedDomainRows(tx)
    .where('workspaceId', '=', workspaceId)
    .where('deletionUntoldSince', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await tx
      .updateTable('domains')
      .set({ deletionUntoldSince: null })
      .where('workspaceId', '=', workspaceId)
      .where('id', 'in', ids)
      .execute()
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Deleted or not. */
export const domainsOfWorkspace = (db: Db, workspaceId: string) =>
  db
    .selectFrom('domains')
    .select(['id', 'workspaceId', 'name'])
    .where('workspaceId', '=', workspaceId)
    .orderBy('id')
    .execute()

/** Those whose end has come, the longest due first. */
export const domainsToEnd = (db: Db, now: Date, limit: number) =>
  deletedDomainRows(db).where('endsAt', '<=', now).orderBy('endsAt').limit(limit).execute()

/** When a deleted domain of this name ends; undefined: the workspace has none. */
export const endOfDomainNamed = async (
  db: Db,
  workspaceId: string,
  name: string,
): Promise<Date | undefined> =>
  (
    await deletedDomainRows(db)
      .where('workspaceId', '=', workspaceId)
      .where('name', '=', name)
      .executeTakeFirst()
  )?.endsAt

export const countDomains = async (db: Db, workspaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('domains')
    .select(sql<number>`count(*)`.as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('endsAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
