/** Who asks for a name and who holds it, in the database. The only place of the domains feature that looks across workspaces. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { DomainRow } from '#server/features/domains/domains-store.ts'
import type { Db } from '#server/storage/database.ts'
import type {
  DomainClaimsTable,
  MissingProofsTable,
  ReleasedDomainsTable,
} from '#server/storage/rows/domain-tables.ts'

export type ClaimRow = Selectable<DomainClaimsTable>
export type MissingProofRow = Selectable<MissingProofsTable>

/** All workspaces' domains of one name. */
export const readNamesakes = (db: Db, name: string): Promise<DomainRow[]> =>
  db.selectFrom('domains').selectAll().where('name', '=', name).orderBy('id').execute()

/** Nobody gets, loses, claims or deletes the name until the transaction ends. */
export const lockNamesakes = (db: Db, name: string): Promise<DomainRow[]> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('name', '=', name)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const readMissingProof = (db: Db, domainId: string): Promise<MissingProofRow | undefined> =>
  db.selectFrom('missingProofs').selectAll().where('domainId', '=', domainId).executeTakeFirst()

export const saveMissingProof = async (db: Db, row: MissingProofRow): Promise<void> => {
  await db
    .insertInto('missingProofs')
    .values(row)
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet(row))
    .execute()
}

export const removeMissingProof = async (db: Db, domainId: string): Promise<void> => {
  await db.deleteFrom('missingProofs').where('domainId', '=', domainId).execute()
}

export const setSendingStopped = async (db: Db, id: string, at: Date | null): Promise<void> => {
  await db.updateTable('domains').set({ sendingStoppedAt: at }).where('id', '=', id).execute()
}

/** Latest first: of a domain that asks. */
export const readClaimsOf = (db: Db, domainIds: string[]): Promise<ClaimRow[]> =>
  domainIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('domainClaims')
        .selectAll()
        .where('domainId', 'in', domainIds)
        .orderBy('startedAt', 'desc')
        .orderBy('id')
        .execute()

export const insertClaim = async (db: Db, claim: Insertable<DomainClaimsTable>): Promise<void> => {
  await db.insertInto('domainClaims').values(claim).execute()
}

export const updateClaim = async (
  db: Db,
  id: string,
  change: Partial<Omit<ClaimRow, 'id' | 'domainId' | 'workspaceId'>>,
): Promise<void> => {
  await db.updateTable('domainClaims').set(change).where('id', '=', id).execute()
}

/** Somebody looks at these domains again as soon as possible. */
export const lookAgainAt = async (db: Db, domainIds: string[], at: Date): Promise<void> => {
  if (domainIds.length === 0) return
  await db
    .updateTable('domainRecords')
    .set({ nextCheckAt: sql`least(next_check_at, ${at})` })
    .where('domainId', 'in', domainIds)
    .where('purpose', '=', 'ownership')
    .execute()
}

export type DueClaim = { domainId: string; workspaceId: string }

/** Takes open claims whose time has come, and puts them off, so that no other process looks too. */
export const takeDueClaims = (
  db: Db,
  now: Date,
  putOffUntil: Date,
  limit: number,
): Promise<DueClaim[]> =>
  db
    .updateTable('domainClaims')
    .set({ nextLookAt: putOffUntil })
    .where('id', 'in', (due) =>
      due
        .selectFrom('domainClaims as d')
        .select('d.id')
        .where('d.outcome', 'is', null)
        .where('d.nextLookAt', '<=', now)
        .orderBy('d.nextLookAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['domainId', 'workspaceId'])
    .execute()

export const countMailboxes = async (db: Db, domainId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('mailboxes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('domainId', '=', domainId)
    .executeTakeFirstOrThrow()
  return count
}

export const insertReleased = async (
  db: Db,
  released: Insertable<ReleasedDomainsTable>,
): Promise<void> => {
  await db.insertInto('releasedDomains').values(released).execute()
}

export const purgeReleased = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('releasedDomains').where('releasedAt', '<', before).execute()
}

/** Claims on a domain that goes are decided now. */
export const dueNowOn = async (db: Db, holderDomainId: string, now: Date): Promise<void> => {
  await db
    .updateTable('domainClaims')
    .set({ nextLookAt: now })
    .where('holderDomainId', '=', holderDomainId)
    .where('outcome', 'is', null)
    .execute()
}
