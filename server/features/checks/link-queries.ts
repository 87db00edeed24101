/** DNS links and the domains that each opens, for this room and for the rooms that end them. */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByDomain } from '#server/storage/move-rows.ts'
import type { DnsLinksTable } from '#server/storage/rows/domain-tables.ts'

export type LinkRow = Selectable<DnsLinksTable>
export type LinkedDomain = { id: string; name: string }

type Place = { workspaceId: string; now: Date }

export const insertLink = async (
  db: Db,
  link: Insertable<DnsLinksTable>,
  domainIds: readonly string[],
): Promise<void> => {
  const { id: linkId, workspaceId } = link
  await db.insertInto('dnsLinks').values(link).execute()
  await db
    .insertInto('dnsLinkDomains')
    .values(domainIds.map((domainId) => ({ workspaceId, linkId, domainId })))
    .execute()
}

/** The domains of the link `l` of a query, by name; null when it has none left: such a link is gone. */
const linked = (db: Db) =>
  sql<LinkedDomain[] | null>`(
    select json_agg(json_build_object('id', d.id, 'name', d.name) order by d.name)
    from dns_link_domains link join ${domainRows(db)} d
      on d.id = link.domain_id and d.workspace_id = link.workspace_id
    where link.link_id = l.id and link.workspace_id = l.workspace_id)`

/** Includes the name of the member who made the link. */
const openLinks = (db: Db, { workspaceId, now }: Place) =>
  db
    .selectFrom('dnsLinks as l')
    .leftJoin(userRows(db).as('maker'), 'maker.id', 'l.createdBy')
    .selectAll('l')
    .select(['maker.firstName', 'maker.lastName'])
    .select(linked(db).$notNull().as('domains'))
    .where('l.workspaceId', '=', workspaceId)
    .where('l.expiresAt', '>', now)
    .orderBy('l.createdAt', 'desc')
    .orderBy('l.id', 'desc')

export type OpenLink = LinkRow & {
  domains: LinkedDomain[]
  firstName: string | null
  lastName: string | null
}

export const findOpenLinks = (db: Db, place: Place, domainId: string): Promise<OpenLink[]> =>
  openLinks(db, place)
    .where('l.id', 'in', (of) =>
      of
        .selectFrom('dnsLinkDomains')
        .select('linkId')
        .where('workspaceId', '=', place.workspaceId)
        .where('domainId', '=', domainId),
    )
    .execute()

const LISTED = 100

/** Those that open several domains. */
export const findOpenLinksToMany = (db: Db, place: Place): Promise<OpenLink[]> =>
  openLinks(db, place)
    .where(
      sql<SqlBool>`1 < (select count(*) from dns_link_domains link
        where link.link_id = l.id and link.workspace_id = l.workspace_id)`,
    )
    .limit(LISTED)
    .execute()

export const findOpenLink = async (
  db: Db,
  place: Place,
  id: string,
): Promise<OpenLink | undefined> => {
  const link = await openLinks(db, place).where('l.id', '=', id).executeTakeFirst()
  return link?.domains ? link : undefined
}

/** Of each of these domains; the largest number. */
export const countOpenLinks = async (
  db: Db,
  { workspaceId, now }: Place,
  domainIds: readonly string[],
): Promise<number> => {
  const row = await db
    .selectFrom('dnsLinkDomains as link')
    .innerJoin('dnsLinks as l', (on) =>
      on.onRef('l.id', '=', 'link.linkId').onRef('l.workspaceId', '=', 'link.workspaceId'),
    )
    .select(sql<number>`count(*)`.as('count'))
    .where('link.workspaceId', '=', workspaceId)
    .where('link.domainId', '=', sql<string>`any(${[...domainIds]}::uuid[])`)
    .where('l.expiresAt', '>', now)
    .groupBy('link.domainId')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Not limited to a workspace: the token is all that the request has. */
export const findLinkByToken = async (db: Db, tokenHash: Buffer, now: Date) => {
  const link = await db
    .selectFrom('dnsLinks as l')
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'l.workspaceId')
    .select(['l.id', 'l.workspaceId', 'l.expiresAt', 'l.openedAt', 'w.name as workspaceName'])
    .select(linked(db).as('domains'))
    .where('l.tokenHash', '=', tokenHash)
    .where('l.expiresAt', '>', now)
    .executeTakeFirst()
  return link?.domains ? { ...link, domains: link.domains } : undefined
}

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

/** The history of the records moves with the domain. The DNS links of the former workspace open it no longer. */
export const moveCheckRows = async (db: Db, move: Move): Promise<void> => {
  await db
    .deleteFrom('dnsLinkDomains')
    .where('workspaceId', '=', move.from)
    .where('domainId', '=', move.domainId)
    .execute()
  await moveByDomain(db, move, ['domain_record_changes'])
}
