import type { Insertable } from 'kysely'
import type { Role } from '#contract/rights.ts'
import type { Db } from '#server/storage/database.ts'
import type { MembersTable } from '#server/storage/rows/workspace-tables.ts'

export const findMembers = (db: Db, workspaceId: string) =>
  members(db, workspaceId)
    .orderBy('users.firstName')
    .orderBy('users.lastName')
    .orderBy('users.id')
    .execute()

export type MemberRow = Awaited<ReturnType<typeof findMembers>>[number]

export const findMember = (
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | undefined> =>
  members(db, workspaceId).where('members.userId', '=', userId).executeTakeFirst()

/** Their role does not change until the transaction ends. */
export const holdMemberRole = async (
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<Role | undefined> => {
  const row = await memberRow(db, workspaceId, userId).forShare().executeTakeFirst()
  return row?.role
}

/** Whoever holds the role ends first. */
export const lockMember = async (db: Db, workspaceId: string, userId: string): Promise<void> => {
  await memberRow(db, workspaceId, userId).forUpdate().execute()
}

const memberRow = (db: Db, workspaceId: string, userId: string) =>
  db
    .selectFrom('members')
    .select('role')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)

export const hasMemberWith = async (db: Db, workspaceId: string, email: string): Promise<boolean> =>
  (await members(db, workspaceId).where('users.email', '=', email).executeTakeFirst()) !== undefined

/** Of a mailbox of this workspace. */
export const isHoldersEmail = async (
  db: Db,
  workspaceId: string,
  email: string,
): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .innerJoin('mailboxes', 'mailboxes.id', 'users.mailboxId')
    .select('users.id')
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('users.email', '=', email)
    .executeTakeFirst()) !== undefined

/** Whether a workspace that the user is in gets the mail of this domain. */
export const isInOwnDomain = async (db: Db, userId: string, domain: string): Promise<boolean> =>
  (await db
    .selectFrom('domains')
    .innerJoin('members', 'members.workspaceId', 'domains.workspaceId')
    .select('domains.id')
    .where('domains.name', '=', domain)
    .where('domains.isVerified', '=', true)
    .where('members.userId', '=', userId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Whoever is in it already stays what they are. */
export const insertMember = async (db: Db, member: Insertable<MembersTable>): Promise<void> => {
  await db
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'userId']).doNothing())
    .execute()
}

/** Only addresses that were proven. */
export const findAdminEmails = async (db: Db, workspaceId: string): Promise<string[]> => {
  const rows = await members(db, workspaceId)
    .where('members.role', '=', 'Admin')
    .where('users.verifiedAt', 'is not', null)
    .execute()
  return rows.map(({ email }) => email)
}

const members = (db: Db, workspaceId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select([
      'members.userId',
      'members.role',
      'users.firstName',
      'users.lastName',
      'users.email',
      'users.avatar',
      'users.lastLoginAt',
    ])
    .where('members.workspaceId', '=', workspaceId)

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

/** With the right to read mail of the workspace. */
export const deleteMember = async (db: Db, workspaceId: string, userId: string): Promise<void> => {
  await db
    .deleteFrom('mailboxReaders')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute()
  await db
    .deleteFrom('members')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute()
  await db
    .updateTable('users')
    .set({ currentWorkspaceId: null })
    .where('id', '=', userId)
    .where('currentWorkspaceId', '=', workspaceId)
    .execute()
}
