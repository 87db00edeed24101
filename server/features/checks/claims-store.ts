/** Which domains are due for a check, who makes it, and who waits for it. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { Tables } from '#server/storage/tables.ts'

export type DueDomain = { id: string; workspaceId: string; isVerified: boolean }

/**
 * Takes domains that are due until `claimUntil`, the longest due first, so that no other process checks them too.
 * None of the workspaces `but`. Within a transaction.
 */
export const claimDueDomains = async (
  tx: Db,
  now: Date,
  claimUntil: Date,
  limit: number,
  but: readonly string[] = [],
): Promise<DueDomain[]> => {
  const free = await tx
    .selectFrom('domains')
    .select('id')
    .where('id', 'in', (of) =>
      of
        .selectFrom('domainRecords')
        .innerJoin('domains', 'domains.id', 'domainRecords.domainId')
        .select('domainRecords.domainId')
        .where('domainRecords.nextCheckAt', '<=', now)
        .where((domain) => isUnclaimed(domain, now, claimUntil))
        .$if(but.length > 0, (all) => all.where('domainRecords.workspaceId', 'not in', but))
        .orderBy('domainRecords.nextCheckAt')
        // All five records of a domain are due at once, and other processes claim too.
        .limit(limit * 10),
    )
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const ids = free.map(({ id }) => id)
  if (ids.length === 0) return []
  // Read again behind the lock: another process may have checked it since this one saw it due.
  return tx
    .updateTable('domains')
    .set({ checkClaimedUntil: claimUntil })
    .where('id', 'in', ids)
    .where((domain) => isUnclaimed(domain, now, claimUntil))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('domainRecords')
          .select(sql`1`.as('due'))
          .whereRef('domainRecords.domainId', '=', 'domains.id')
          .where('domainRecords.nextCheckAt', '<=', now),
      ),
    )
    .returning(['id', 'workspaceId', 'isVerified'])
    .execute()
}

/** A claim that ends after one that is made now is of a clock that was set back. */
const isUnclaimed = (of: ExpressionBuilder<Tables, 'domains'>, now: Date, claimUntil: Date) =>
  of.or([
    of('domains.checkClaimedUntil', 'is', null),
    of('domains.checkClaimedUntil', '<=', now),
    of('domains.checkClaimedUntil', '>', claimUntil),
  ])

type DomainOf = { id: string; workspaceId: string }

/** How many domains of the workspace somebody has open. */
const countWatched = (tx: Db, { id, workspaceId }: DomainOf, since: Date) =>
  tx
    .selectFrom('domains as others')
    .select(sql<number>`count(*)`.as('count'))
    .where('others.workspaceId', '=', workspaceId)
    .where('others.watchedAt', '>', since)
    .where('others.id', '<>', id)

/** Says that somebody has the page of the domain open. false: it was said just now, or so many others are open too. */
export const markWatched = async (
  db: Db,
  domain: DomainOf,
  { now, justNow, since, most }: { now: Date; justNow: Date; since: Date; most: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('domains')
    .set({ watchedAt: now })
    .where('id', '=', domain.id)
    .where('workspaceId', '=', domain.workspaceId)
    .where((of) => of.or([of('watchedAt', 'is', null), of('watchedAt', '<=', justNow)]))
    .where(countWatched(db, domain, since), '<', most)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** What is due later becomes due at `at`; answers whether anything was. */
export const bringForward = async (db: Db, domain: DomainOf, at: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('domainRecords')
    .set({ nextCheckAt: at })
    .where('domainId', '=', domain.id)
    .where('workspaceId', '=', domain.workspaceId)
    .where('nextCheckAt', '>', at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
