import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { SessionsTable } from '#server/storage/tables.ts'

/** Session, user and membership in one query; the workspace wanted, else the current one, else the oldest. */
export const findCaller = (
  db: Db,
  sessionId: string,
  userId: string,
  wantedWorkspaceId: string | null,
) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('members as m')
          .select(['m.workspaceId', 'm.role'])
          .whereRef('m.userId', '=', 'u.id')
          .$if(wantedWorkspaceId !== null, (query) =>
            query.where('m.workspaceId', '=', wantedWorkspaceId),
          )
          .orderBy(sql`m.workspace_id is not distinct from u.current_workspace_id`, 'desc')
          .orderBy('m.createdAt')
          .limit(1)
          .as('m'),
      (join) => join.onTrue(),
    )
    .select([
      's.endedAt',
      's.expiresAt',
      'u.id as userId',
      'u.firstName',
      'u.lastName',
      'u.email',
      'u.avatar',
      'm.workspaceId',
      'm.role',
    ])
    .where('s.id', '=', sessionId)
    .where('s.userId', '=', userId)
    .executeTakeFirst()

export type Session = Selectable<SessionsTable>

export const insertSession = async (db: Db, session: Session): Promise<void> => {
  await db.insertInto('sessions').values(session).execute()
}

/** Locks the row: refreshes of one family happen one after the other. */
export const lockSession = (db: Db, id: string): Promise<Session | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const rotateSession = async (
  db: Db,
  id: string,
  next: Pick<Session, 'generation' | 'tokenHash' | 'spentAt'>,
): Promise<void> => {
  await db.updateTable('sessions').set(next).where('id', '=', id).execute()
}

export const endSessionRow = async (db: Db, id: string, at: Date): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()
}

export const endSessionsOf = async (db: Db, userId: string, at: Date): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .execute()
}

export const purgeSessions = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expiresAt', '<', before), eb('endedAt', '<', before)]))
    .execute()
}

export const findLiveSessions = (db: Db, ids: readonly string[], now: Date) =>
  db
    .selectFrom('sessions as s')
    .leftJoin('members as m', 'm.userId', 's.userId')
    .select(['s.id', 'm.workspaceId'])
    .where('s.id', 'in', [...ids])
    .where('s.endedAt', 'is', null)
    .where('s.expiresAt', '>', now)
    .execute()
