/** Claims on names and missing proofs in the database. Claims are read across workspaces. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type {
  DomainClaimsTable,
  MissingProofsTable,
  ReleasedDomainsTable,
} from '#server/storage/rows/domain-tables.ts'

export type ClaimRow = Selectable<DomainClaimsTable>
export type MissingProofRow = Selectable<MissingProofsTable>

export const readMissingProof = (db: Db, domainId: string): Promise<MissingProofRow | undefined> =>
  db.selectFrom('missingProofs').selectAll().where('domainId', '=', domainId).executeTakeFirst()

export const saveMissingProof = async (db: Db, row: MissingProofRow): Promise<void> => {
  await db
    .insertInto('missingProofs')
    .values(row)
    .onConflict((conflict) => conflict.constraint('missing_proofs_pkey').doUpdateSet(row))
    .execute()
}

export const removeMissingProof = async (db: Db, domainId: string): Promise<void> => {
  await db.deleteFrom('missingProofs').where('domainId', '=', domainId).execute()
}

/** Claims made by these domains, latest first. */
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

export const insertReleased = async (
  db: Db,
  released: Insertable<ReleasedDomainsTable>,
): Promise<void> => {
  await db.insertInto('releasedDomains').values(released).execute()
}

/** Makes the claims on a deleted domain due now. */
export const dueNowOn = async (db: Db, holderDomainId: string, now: Date): Promise<void> => {
  await db
    .updateTable('domainClaims')
    .set({ nextLookAt: now })
    .where('holderDomainId', '=', holderDomainId)
    .where('outcome', 'is', null)
    .execute()
}
