/** Members with their names, for this room and later ones. */

import { userRows } from '#server/features/accounts/user-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

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

export const hasMemberWith = async (db: Db, workspaceId: string, email: string): Promise<boolean> =>
  (await members(db, workspaceId).where('users.email', '=', email).executeTakeFirst()) !== undefined

/** The Admins whose address is proven. */
export const findAdmins = (db: Db, workspaceId: string): Promise<MemberRow[]> =>
  members(db, workspaceId)
    .where('members.role', '=', 'Admin')
    .where('users.verifiedAt', 'is not', null)
    .execute()

const members = (db: Db, workspaceId: string) =>
  db
    .selectFrom(memberRows(db).as('members'))
    .innerJoin(userRows(db).as('users'), 'users.id', 'members.userId')
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
