import type { Db } from '#server/storage/database.ts'

export const findWorkspaces = (db: Db, userId: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspaceId')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(({ eb, ref }) => [
      'w.id',
      'w.name',
      'm.role',
      eb(ref('u.currentWorkspaceId'), 'is not distinct from', ref('w.id')).as('isChosen'),
    ])
    .where('m.userId', '=', userId)
    .orderBy('m.createdAt')
    .orderBy('w.id')
    .execute()
