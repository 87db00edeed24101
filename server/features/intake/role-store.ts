import type { Db } from '#server/storage/database.ts'

export const adminEmails = async (db: Db, workspaceId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select('users.email')
    .where('members.workspaceId', '=', workspaceId)
    .where('members.role', '=', 'Admin')
    .where('users.verifiedAt', 'is not', null)
    .execute()
  return rows.map(({ email }) => email)
}

export const firstUserEmail = async (db: Db): Promise<string[]> => {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('verifiedAt', 'is not', null)
    .where('mailboxId', 'is', null)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? [] : [row.email]
}
