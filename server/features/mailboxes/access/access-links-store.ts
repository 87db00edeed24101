/** Links that set the password of a mailbox's holder, in the database. */
import type { Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { AccessLinksTable } from '#server/storage/rows/access-tables.ts'

export type LinkRow = Selectable<AccessLinksTable>

export const insertLink = async (db: Db, link: LinkRow): Promise<void> => {
  await db.insertInto('accessLinks').values(link).execute()
}

/** The one that has not ended; it may have run out. */
export const findOpenLink = (db: Db, workspaceId: string, mailboxId: string) =>
  db
    .selectFrom('accessLinks')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()

/** By its token: no workspace is known before. */
export const findLink = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('accessLinks as l')
    .innerJoin('mailboxes as m', (join) =>
      join.onRef('m.id', '=', 'l.mailboxId').onRef('m.workspaceId', '=', 'l.workspaceId'),
    )
    .innerJoin('workspaces as w', 'w.id', 'l.workspaceId')
    .leftJoin('users as holder', 'holder.mailboxId', 'm.id')
    .select(['l.workspaceId', 'l.mailboxId', 'l.expiresAt', 'l.outcome'])
    .select(['m.email', 'w.name as workspaceName', 'holder.id as holderId'])
    .where('l.tokenHash', '=', tokenHash)
    .executeTakeFirst()

export type FoundLink = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** @returns false when none was open. */
export const endLinks = async (
  db: Db,
  workspaceId: string,
  mailboxId: string,
  ended: { outcome: NonNullable<LinkRow['outcome']>; endedAt: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('accessLinks')
    .set(ended)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Who could make it since they read the mailbox. @returns false when none of theirs was open. */
export const endLinksBy = async (
  db: Db,
  { workspaceId, mailboxId, userId }: { workspaceId: string; mailboxId: string; userId: string },
  endedAt: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('accessLinks')
    .set({ outcome: 'withdrawn', endedAt })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where((is) => is.or([is('madeBy', '=', userId), is('madeBy', 'is', null)]))
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteLinks = async (db: Db, expiredBefore: Date): Promise<void> => {
  await db.deleteFrom('accessLinks').where('expiresAt', '<', expiredBefore).execute()
}

/** A proven account, not a holder, that signs in with this address. */
export const hasAccountWith = async (db: Db, email: string): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('verifiedAt', 'is not', null)
    .where('mailboxId', 'is', null)
    .executeTakeFirst()) !== undefined
