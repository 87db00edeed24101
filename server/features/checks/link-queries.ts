/** DNS links, for this room and for the rooms that end them. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByDomain } from '#server/storage/move-rows.ts'
import type { DnsLinksTable } from '#server/storage/rows/domain-tables.ts'

export type LinkRow = Selectable<DnsLinksTable>

type Place = { workspaceId: string; now: Date }

export const insertLink = async (db: Db, link: Insertable<DnsLinksTable>): Promise<void> => {
  await db.insertInto('dnsLinks').values(link).execute()
}

/** Includes the name of the member who made the link. */
const openLinks = (db: Db, { workspaceId, now }: Place) =>
  db
    .selectFrom('dnsLinks as l')
    .leftJoin(userRows(db).as('maker'), 'maker.id', 'l.createdBy')
    .innerJoin(domainRows(db).as('d'), 'd.id', 'l.domainId')
    .selectAll('l')
    .select(['d.name as domainName', 'maker.firstName', 'maker.lastName'])
    .where('l.workspaceId', '=', workspaceId)
    .where('l.expiresAt', '>', now)

export type OpenLink = LinkRow & {
  domainName: string
  firstName: string | null
  lastName: string | null
}

export const findOpenLinks = (db: Db, place: Place, domainId: string): Promise<OpenLink[]> =>
  openLinks(db, place)
    .where('l.domainId', '=', domainId)
    .orderBy('l.createdAt', 'desc')
    .orderBy('l.id', 'desc')
    .execute()

export const findOpenLink = (db: Db, place: Place, id: string): Promise<OpenLink | undefined> =>
  openLinks(db, place).where('l.id', '=', id).executeTakeFirst()

export const countOpenLinks = async (
  db: Db,
  { workspaceId, now }: Place,
  domainId: string,
): Promise<number> => {
  const { count } = await db
    .selectFrom('dnsLinks')
    .select(sql<number>`count(*)`.as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/** Not limited to a workspace: the token is all that the request has. */
export const findLinkByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('dnsLinks as l')
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'l.workspaceId')
    .innerJoin(domainRows(db).as('d'), (join) =>
      join.onRef('d.id', '=', 'l.domainId').onRef('d.workspaceId', '=', 'l.workspaceId'),
    )
    .select(['l.id', 'l.workspaceId', 'l.domainId', 'l.expiresAt', 'l.openedAt'])
    .select(['w.name as workspaceName', 'd.name as domainName'])
    .where('l.tokenHash', '=', tokenHash)
    .where('l.expiresAt', '>', now)
    .executeTakeFirst()

export type HeldLink = NonNullable<Awaited<ReturnType<typeof findLinkByToken>>>

export const updateLink = async (
  db: Db,
  { id, workspaceId }: Pick<LinkRow, 'id' | 'workspaceId'>,
  change: Partial<Pick<LinkRow, 'openedAt' | 'sentTo'>>,
): Promise<void> => {
  await db
    .updateTable('dnsLinks')
    .set(change)
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .execute()
}

/** false when no such link is open. */
export const deleteOpenLink = async (
  db: Db,
  { workspaceId, now }: Place,
  id: string,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('dnsLinks')
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export const deleteExpiredLinks = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('dnsLinks').where('expiresAt', '<=', now).execute()
}

export const deleteLinksBy = (
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
) =>
  db
    .deleteFrom('dnsLinks')
    .where('workspaceId', '=', workspaceId)
    .where('createdBy', '=', userId)
    .returning('id')
    .execute()

/** The history of the records moves with the domain. The former workspace's DNS links end. */
export const moveCheckRows = async (db: Db, move: Move): Promise<void> => {
  await db
    .deleteFrom('dnsLinks')
    .where('workspaceId', '=', move.from)
    .where('domainId', '=', move.domainId)
    .execute()
  await moveByDomain(db, move, ['domain_record_changes'])
}
