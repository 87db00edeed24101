import type { Role } from '#contract/rights.ts'
import type { Db } from '#server/storage/database.ts'

export type OwnWorkspace = { id: string; name: string; role: Role }

/** Oldest membership first. */
export const findWorkspaces = (db: Db, userId: string): Promise<OwnWorkspace[]> =>
  own(db, userId).orderBy('m.createdAt').orderBy('w.id').execute()

export const findWorkspace = (
  db: Db,
  userId: string,
  workspaceId: string,
): Promise<OwnWorkspace | undefined> =>
  own(db, userId).where('w.id', '=', workspaceId).executeTakeFirst()

const own = (db: Db, userId: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspaceId')
    .select(['w.id', 'w.name', 'm.role'])
    .where('m.userId', '=', userId)

/** In the order of their ids, so that two callers never wait for each other in a circle. */
export const lockWorkspaceRows = async (db: Db, ids: string[]): Promise<void> => {
  await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export const setWorkspaceName = async (db: Db, id: string, name: string): Promise<void> => {
  await db.updateTable('workspaces').set({ name }).where('id', '=', id).execute()
}

export const setCurrentWorkspace = async (
  db: Db,
  userId: string,
  workspaceId: string,
): Promise<void> => {
  await db
    .updateTable('users')
    .set({ currentWorkspaceId: workspaceId })
    .where('id', '=', userId)
    .execute()
}
