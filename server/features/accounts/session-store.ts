import { type Insertable, type Selectable, sql } from 'kysely'
import { IDLE_DAYS } from '#contract/account/sessions.ts'
import type { CallerRole } from '#contract/rights.ts'
import type { Admission } from '#server/features/factors/admission.ts'
import { factorDueAt } from '#server/features/factors/required-factor-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import type { SessionsTable } from '#server/storage/rows/account-tables.ts'
import type { UserRow } from './who.ts'

type CallerRow = UserRow &
  Pick<Selectable<SessionsTable>, 'endedAt' | 'expiresAt' | 'createdAt' | 'lastUsedAt'> & {
    workspaceId: string | null
    role: CallerRole | null
    factorDueAt: Date | null
  }

const factorDueHere = factorDueAt({
  ...{ userId: 'users.id', bornAt: 'users.createdAt' },
  workspaceId: sql`coalesce(held.workspace_id, member.workspace_id)`,
  joinedAt: sql`coalesce(member.created_at, users.created_at)`,
})

/**
 * Session, user and membership in one query; the workspace is the wanted, the current or the oldest one. A holder is in
 * the workspace of the mailbox only. Raw SQL, because every request runs it.
 */
export const findCaller = async (
  db: Db,
  sessionId: string,
  userId: string,
  wantedWorkspaceId: string | null,
): Promise<CallerRow | undefined> => {
  const wantedOf = (table: 'joined' | 'held') =>
    wantedWorkspaceId === null
      ? sql``
      : sql`and ${sql.table(table)}.workspace_id = ${wantedWorkspaceId}`
  const { rows } = await sql<CallerRow>`
    select sessions.ended_at, sessions.expires_at, sessions.created_at, sessions.last_used_at,
      coalesce(held.workspace_id, member.workspace_id) as workspace_id,
      case when users.mailbox_id is null then member.role else 'Holder' end as role,
      users.id as user_id, users.first_name, users.last_name, users.email, users.avatar, users.mailbox_id,
      ${factorDueHere} as factor_due_at
    from sessions
      join users on users.id = sessions.user_id
      left join mailboxes held on held.id = users.mailbox_id ${wantedOf('held')}
      left join lateral (
        select joined.workspace_id, joined.role, joined.created_at from ${memberRows(db)} joined
        where joined.user_id = users.id and users.mailbox_id is null ${wantedOf('joined')}
        order by joined.workspace_id is not distinct from users.current_workspace_id desc, joined.created_at
        limit 1
      ) member on true
    where sessions.id = ${sessionId} and sessions.user_id = ${userId}`.execute(db)
  return rows[0]
}

export type Session = Selectable<SessionsTable>

/** `admission`: what says that the person may come in. */
export const insertSession = async (
  db: Db,
  session: Omit<Insertable<SessionsTable>, 'userId' | 'confirmedAt'>,
  { userId, confirmedAt }: Admission,
): Promise<void> => {
  await db
    .insertInto('sessions')
    .values({ ...session, userId, confirmedAt })
    .execute()
}

/** When the person last proved who they are in this session. */
export const readConfirmedAt = async (db: Db, id: string): Promise<Date | null> => {
  const found = await db
    .selectFrom('sessions')
    .select('confirmedAt')
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.confirmedAt ?? null
}

export const confirmSession = async (db: Db, id: string, at: Date): Promise<void> => {
  await db.updateTable('sessions').set({ confirmedAt: at }).where('id', '=', id).execute()
}

export const readSession = (db: Db, id: string): Promise<Session | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the row, so that refreshes of one session are serial. */
export const lockSession = (db: Db, id: string): Promise<Session | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const rotateSession = async (
  db: Db,
  id: string,
  next: Pick<Session, 'generation' | 'tokenHash' | 'spentAt' | 'lastUsedAt'>,
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

/** @returns whether the person had it, and it had not ended */
export const endOwnSession = async (
  db: Db,
  userId: string,
  id: string,
  at: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** @returns how many */
export const endOtherSessionsOf = async (
  db: Db,
  userId: string,
  keptSessionId: string,
  at: Date,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('userId', '=', userId)
    .where('id', '!=', keptSessionId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Sessions that were last used before have ended (decision 119). */
export const unusedSince = (now: Date): Date => secondsAfter(now, -IDLE_DAYS * DAY_SECONDS)

type Ending = Pick<Session, 'endedAt' | 'expiresAt' | 'createdAt' | 'lastUsedAt'>

export const hasEnded = (
  { endedAt, expiresAt, createdAt, lastUsedAt }: Ending,
  now: Date,
): boolean => endedAt !== null || expiresAt <= now || (lastUsedAt ?? createdAt) <= unusedSince(now)

const NOTED_SECONDS = 60

/** Writes once a minute at most: `lastUsedAt` came with the session. */
export const noteSessionUse = async (
  db: Db,
  { id, lastUsedAt }: Pick<Session, 'id' | 'lastUsedAt'>,
  ip: string,
  now: Date,
): Promise<void> => {
  const due = secondsAfter(now, -NOTED_SECONDS)
  if (lastUsedAt !== null && lastUsedAt > due) return
  await db
    .updateTable('sessions')
    .set({ lastUsedAt: now, lastIp: ip })
    .where('id', '=', id)
    .where((is) => is.or([is('lastUsedAt', 'is', null), is('lastUsedAt', '<=', due)]))
    .execute()
}

/** Those that have not ended, the last used first. */
export const findSessionsOf = (
  db: Db,
  userId: string,
  now: Date,
  usedAfter: Date,
): Promise<Session[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where(sql<boolean>`coalesce(last_used_at, created_at) > ${usedAfter}`)
    .orderBy(sql`coalesce(last_used_at, created_at)`, 'desc')
    .orderBy('id', 'desc')
    .execute()

export const purgeSessions = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expiresAt', '<', before), eb('endedAt', '<', before)]))
    .execute()
}

export const findLiveSessions = (db: Db, ids: readonly string[], now: Date) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .leftJoin(memberRows(db).as('m'), 'm.userId', 's.userId')
    .leftJoin('mailboxes as held', 'held.id', 'u.mailboxId')
    .select(['s.id', 's.userId'])
    .select(({ fn }) => fn.coalesce('held.workspaceId', 'm.workspaceId').as('workspaceId'))
    .select(
      sql<CallerRole | null>`case when held.id is null then m.role else 'Holder' end`.as('role'),
    )
    .select(
      factorDueAt({
        ...{ userId: 'u.id', bornAt: 'u.createdAt' },
        workspaceId: sql`coalesce(held.workspace_id, m.workspace_id)`,
        joinedAt: sql`coalesce(m.created_at, u.created_at)`,
      }).as('factorDueAt'),
    )
    .where('s.id', 'in', [...ids])
    .where('s.endedAt', 'is', null)
    .where('s.expiresAt', '>', now)
    .execute()

/** Holders read theirs. */
export const findMailboxesReadBy = (db: Db, userIds: readonly string[], now: Date) =>
  db
    .selectFrom('mailboxReaders')
    .select(['userId', 'mailboxId'])
    .where('userId', 'in', [...userIds])
    .where((is) => is.or([is('endsAt', 'is', null), is('endsAt', '>', now)]))
    .execute()
