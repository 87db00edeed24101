/** Queries of claims for the checks, and for a domain that moves. */
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByDomain } from '#server/storage/move-rows.ts'

export type DueClaim = { domainId: string; workspaceId: string }

/** Takes the open claims that are due and moves their next check, so that no other process checks them too. */
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

export const purgeReleased = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('releasedDomains').where('releasedAt', '<', before).execute()
}

export const moveOwnershipRows = (db: Db, move: Move): Promise<void> =>
  moveByDomain(db, move, ['missing_proofs', 'domain_claims'])
