/** Workspaces, which are the tenants, and who is in each. The rules of joining and leaving belong to later rooms. */
import type { Insertable } from 'kysely'
import type { Role } from '#contract/rights.ts'
import type { Db } from '#server/storage/database.ts'
import type { MembersTable, WorkspacesTable } from '#server/storage/rows/workspace-tables.ts'

export const workspaceRows = (db: Db) =>
  db
    .selectFrom('workspaces')
    .select(['id', 'name', 'storageQuotaBytes', 'createdAt', 'endsAt', 'deletedBy', 'endedAt'])
    .select(['suspendedAt', 'suspendedFor', 'needsAppPasswords'])

export const memberRows = (db: Db) =>
  db.selectFrom('members').select(['workspaceId', 'userId', 'role', 'createdAt'])

export const insertWorkspace = async (
  db: Db,
  workspace: Insertable<WorkspacesTable>,
): Promise<void> => {
  await db.insertInto('workspaces').values(workspace).execute()
}

export const setWorkspaceName = async (db: Db, id: string, name: string): Promise<void> => {
  await db.updateTable('workspaces').set({ name }).where('id', '=', id).execute()
}

/** null: restored. The workspace is locked. */
export const markWorkspace = async (
  db: Db,
  id: string,
  deleted: { endsAt: Date; deletedBy: string } | null,
): Promise<void> => {
  await db
    .updateTable('workspaces')
    .set(deleted ?? { endsAt: null, deletedBy: null })
    .where('id', '=', id)
    .execute()
}

/** null: its members send again. */
export const setSuspended = async (
  db: Db,
  id: string,
  suspended: { suspendedAt: Date; suspendedFor: string } | null,
): Promise<void> => {
  await db
    .updateTable('workspaces')
    .set(suspended ?? { suspendedAt: null, suspendedFor: '' })
    .where('id', '=', id)
    .execute()
}

export const setStorageQuota = async (
  db: Db,
  id: string,
  storageQuotaBytes: number,
): Promise<void> => {
  await db.updateTable('workspaces').set({ storageQuotaBytes }).where('id', '=', id).execute()
}

export const setNeedsAppPasswords = async (
  db: Db,
  id: string,
  needsAppPasswords: boolean,
): Promise<void> => {
  await db.updateTable('workspaces').set({ needsAppPasswords }).where('id', '=', id).execute()
}

/** Workspaces whose end has come, the longest due first. */
export const workspacesToEnd = async (db: Db, now: Date, limit: number): Promise<string[]> => {
  const rows = await workspaceRows(db)
    .where('endsAt', '<=', now)
    .where('endedAt', 'is', null)
    .orderBy('endsAt')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks it against everything else, if its end has come. */
export const lockWorkspaceToEnd = (db: Db, id: string, now: Date) =>
  workspaceRows(db)
    .where('id', '=', id)
    .where('endsAt', '<=', now)
    .where('endedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Deletes the workspace with every row that depends on it. */
export const removeWorkspace = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('workspaces').where('id', '=', id).execute()
}

/** Its members leave; the row stays for what has to be kept. */
export const closeWorkspace = async (db: Db, id: string, endedAt: Date): Promise<void> => {
  await db.deleteFrom('members').where('workspaceId', '=', id).execute()
  await db.updateTable('workspaces').set({ endedAt }).where('id', '=', id).execute()
}

export const readWorkspace = (db: Db, id: string) =>
  workspaceRows(db).where('id', '=', id).executeTakeFirstOrThrow()

/** Prevents deletion until the transaction ends. Lock order everywhere: workspace, then mailbox. */
export const holdWorkspace = (db: Db, id: string) =>
  workspaceRows(db).where('id', '=', id).forKeyShare().executeTakeFirstOrThrow()

const suspendedRow = (db: Db, id: string) =>
  workspaceRows(db).where('id', '=', id).where('suspendedAt', 'is not', null)

/** false also for one that has gone. */
export const isSuspended = async (db: Db, id: string): Promise<boolean> =>
  (await suspendedRow(db, id).executeTakeFirst()) !== undefined

/** Like `isSuspended`; one that is suspended stays so until the transaction ends. */
export const holdSuspension = async (db: Db, id: string): Promise<boolean> =>
  (await suspendedRow(db, id).forShare().executeTakeFirst()) !== undefined

/** Locks in the order of ids, which prevents deadlocks. */
export const lockWorkspaceRows = async (db: Db, ids: string[]): Promise<void> => {
  if (ids.length === 0) return
  await workspaceRows(db).where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

const memberRow = (db: Db, workspaceId: string, userId: string) =>
  memberRows(db).where('workspaceId', '=', workspaceId).where('userId', '=', userId)

/** Prevents changes of the member's role until the transaction ends. */
export const holdMemberRole = async (
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<Role | undefined> => {
  const row = await memberRow(db, workspaceId, userId).forShare().executeTakeFirst()
  return row?.role
}

/** Waits for transactions that rely on the role. */
export const lockMember = async (db: Db, workspaceId: string, userId: string): Promise<boolean> => {
  const rows = await memberRow(db, workspaceId, userId).forUpdate().execute()
  return rows.length > 0
}

/** Existing members keep their role. */
export const insertMember = async (db: Db, member: Insertable<MembersTable>): Promise<void> => {
  await db
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'userId']).doNothing())
    .execute()
}

export const countAdmins = async (db: Db, workspaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('role', '=', 'Admin')
    .executeTakeFirstOrThrow()
  return count
}

export const setRole = async (
  db: Db,
  workspaceId: string,
  userId: string,
  role: Role,
): Promise<void> => {
  await db
    .updateTable('members')
    .set({ role })
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute()
}

export const deleteMember = async (db: Db, workspaceId: string, userId: string): Promise<void> => {
  await db
    .deleteFrom('members')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute()
}
