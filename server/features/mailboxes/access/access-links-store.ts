/** Links that set the password of a mailbox's holder, in the database. */
import type { Selectable } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { AccessLinksTable } from '#server/storage/rows/access-tables.ts'
import { mailboxRows } from '../mailbox-queries.ts'

export type LinkRow = Selectable<AccessLinksTable>

export const insertLink = async (db: Db, link: LinkRow): Promise<void> => {
  await db.insertInto('accessLinks').values(link).execute()
}

/** The link that was neither used nor withdrawn; it may have expired. */
export const findOpenLink = (db: Db, workspaceId: string, mailboxId: string) =>
  db
    .selectFrom('accessLinks')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()

/** Number of the workspace's active mailboxes. */
export const countActive = async (db: Db, workspaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom(mailboxRows(db).as('mailboxes'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('status', '=', 'active')
    .where('endsAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Not limited to a workspace: the token is all that the request has. */
export const findLink = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('accessLinks as l')
    .innerJoin('mailboxes as m', (join) =>
      join.onRef('m.id', '=', 'l.mailboxId').onRef('m.workspaceId', '=', 'l.workspaceId'),
    )
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'l.workspaceId')
    .leftJoin(userRows(db).as('holder'), 'holder.mailboxId', 'm.id')
    .select(['l.workspaceId', 'l.mailboxId', 'l.expiresAt', 'l.outcome', 'l.madeBy', 'l.mailedTo'])
    .select(['m.email', 'w.name as workspaceName', 'holder.id as holderId'])
    .where('l.tokenHash', '=', tokenHash)
    .executeTakeFirst()

/**
 * Ends the links to a mailbox that this reader made, or whose maker is unknown; also links to other mailboxes whose holders
 * read this one, since those open it too. @returns the mailboxes of the links.
 */
export const endLinksBy = async (
  db: Db,
  { workspaceId, mailboxId, userId }: { workspaceId: string; mailboxId: string; userId: string },
  endedAt: Date,
): Promise<{ id: string; email: string }[]> => {
  const links = await db
    .updateTable('accessLinks')
    .set({ outcome: 'withdrawn', endedAt })
    .where('workspaceId', '=', workspaceId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('mailboxId', '=', mailboxId),
        eb('mailboxId', 'in', (of) =>
          of
            .selectFrom(userRows(db).as('holders'))
            .select('holders.mailboxId')
            .where(
              'holders.id',
              'in',
              selectFrom('mailboxReaders as readers')
                .select('readers.userId')
                .where('readers.mailboxId', '=', mailboxId),
            ),
        ),
      ]),
    )
    .where((is) => is.or([is('madeBy', '=', userId), is('madeBy', 'is', null)]))
    .where('endedAt', 'is', null)
    .returning('mailboxId')
    .execute()
  if (links.length === 0) return []
  const ids = links.map((link) => link.mailboxId)
  return mailboxRows(db).where('workspaceId', '=', workspaceId).where('id', 'in', ids).execute()
}

export const deleteLinks = async (db: Db, expiredBefore: Date): Promise<void> => {
  await db.deleteFrom('accessLinks').where('expiresAt', '<', expiredBefore).execute()
}
