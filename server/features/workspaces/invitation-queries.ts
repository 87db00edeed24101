import type { Selectable } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type {
  InvitationLinksTable,
  InvitationsTable,
} from '#server/storage/rows/workspace-tables.ts'

export type InvitationRow = Selectable<InvitationsTable>

export const findOpenInvitations = (db: Db, workspaceId: string): Promise<InvitationRow[]> =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('outcome', 'is', null)
    .orderBy('sentAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

export const findOpenInvitation = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<InvitationRow | undefined> =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst()

/** Updates a pending invitation of the same address, which keeps its id; else inserts one. */
export const upsertInvitation = (db: Db, row: InvitationRow): Promise<InvitationRow> => {
  const { role, invitedBy, sentAt, expiresAt } = row
  return db
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'email'])
        .where('outcome', 'is', null)
        .doUpdateSet({ role, invitedBy, sentAt, expiresAt }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** With their links, when the workspace ends. */
export const deleteInvitationsOf = async (db: Db, workspaceId: string): Promise<void> => {
  await db.deleteFrom('invitations').where('workspaceId', '=', workspaceId).execute()
}

export const insertInvitationLink = async (
  db: Db,
  link: Selectable<InvitationLinksTable>,
): Promise<void> => {
  await db.insertInto('invitationLinks').values(link).execute()
}

/** Not limited to a workspace: the token is all that the request has. */
export const findInvitationByLink = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('invitationLinks as l')
    .innerJoin('invitations as i', (on) =>
      on.onRef('i.id', '=', 'l.invitationId').onRef('i.workspaceId', '=', 'l.workspaceId'),
    )
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'i.workspaceId')
    .leftJoin(userRows(db).as('inviter'), 'inviter.id', 'i.invitedBy')
    .select([
      'i.id',
      'i.workspaceId',
      'i.email',
      'i.role',
      'i.outcome',
      'l.expiresAt',
      'w.name as workspaceName',
      'inviter.email as inviterEmail',
      'inviter.firstName as inviterFirstName',
      'inviter.lastName as inviterLastName',
    ])
    .where('l.tokenHash', '=', tokenHash)
    .executeTakeFirst()

export type LinkedInvitation = NonNullable<Awaited<ReturnType<typeof findInvitationByLink>>>

export const endInvitation = async (
  db: Db,
  workspaceId: string,
  id: string,
  ended: { outcome: NonNullable<InvitationRow['outcome']>; endedAt: Date },
): Promise<void> => {
  await db
    .updateTable('invitations')
    .set(ended)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes expired invitations with their links. */
export const deleteInvitations = async (db: Db, expiredBefore: Date): Promise<void> => {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}

/** Unanswered invitations by this member. */
export const revokeInvitationsBy = (
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  endedAt: Date,
) =>
  db
    .updateTable('invitations')
    .set({ outcome: 'revoked', endedAt })
    .where('workspaceId', '=', workspaceId)
    .where('invitedBy', '=', userId)
    .where('outcome', 'is', null)
    .returning(['id', 'email'])
    .execute()

/** The workspace name and member address for the mail. */
export const findInviter = (db: Db, workspaceId: string, userId: string) =>
  db
    .selectFrom(memberRows(db).as('m'))
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'm.workspaceId')
    .innerJoin(userRows(db).as('u'), 'u.id', 'm.userId')
    .select(['w.name as workspaceName', 'u.email', 'u.firstName', 'u.lastName'])
    .where('m.workspaceId', '=', workspaceId)
    .where('m.userId', '=', userId)
    .executeTakeFirstOrThrow()
