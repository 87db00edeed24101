import type { Selectable } from 'kysely'
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

/** One that waits for the same address takes over what is new; its id stays. */
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

export const insertInvitationLink = async (
  db: Db,
  link: Selectable<InvitationLinksTable>,
): Promise<void> => {
  await db.insertInto('invitationLinks').values(link).execute()
}

/** By the token of a mailed link: no workspace is known before. */
export const findInvitationByLink = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('invitationLinks as l')
    .innerJoin('invitations as i', 'i.id', 'l.invitationId')
    .innerJoin('workspaces as w', 'w.id', 'i.workspaceId')
    .leftJoin('users as inviter', 'inviter.id', 'i.invitedBy')
    .select([
      'i.id',
      'i.workspaceId',
      'i.email',
      'i.role',
      'i.outcome',
      'l.expiresAt',
      'w.name as workspaceName',
      'inviter.email as inviterEmail',
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

/** Their links go with them. */
export const deleteInvitations = async (db: Db, expiredBefore: Date): Promise<void> => {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}

/** What the mail says of them. */
export const findInviter = (db: Db, workspaceId: string, userId: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspaceId')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['w.name as workspaceName', 'u.email'])
    .where('m.workspaceId', '=', workspaceId)
    .where('m.userId', '=', userId)
    .executeTakeFirstOrThrow()
