/** Domains that are due for a check, claims on checks, and open pages that wait for one. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { Tables } from '#server/storage/tables.ts'

export type DueDomain = { id: string; workspaceId: string; isVerified: boolean }

/**
 * Claims due domains until `claimUntil`, so that no other process checks them too; the longest due first, none of the
 * workspaces `but`. Call within a transaction.
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
        .innerJoin('domains', (on) =>
          on
            .onRef('domains.id', '=', 'domainRecords.domainId')
            .onRef('domains.workspaceId', '=', 'domainRecords.workspaceId'),
        )
        .select('domainRecords.domainId')
        .where('domainRecords.nextCheckAt', '<=', now)
        // A deleted domain stays as it is until it is restored or ends.
        .where('domains.endsAt', 'is', null)
        .where((domain) => isUnclaimed(domain, now, claimUntil))
        .$if(but.length > 0, (all) => all.where('domainRecords.workspaceId', 'not in', but))
        .orderBy('domainRecords.nextCheckAt')
        // More rows than domains: all records of a domain are due at once, and other processes claim some of them.
        .limit(limit * 10),
    )
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const ids = free.map(({ id }) => id)
  if (ids.length === 0) return []
  // Compared again after locking: another process may have checked the domain in the meantime.
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

/** A claim that ends later than a new one would was made before the clock was set back, so it does not count. */
const isUnclaimed = (of: ExpressionBuilder<Tables, 'domains'>, now: Date, claimUntil: Date) =>
  of.or([
    of('domains.checkClaimedUntil', 'is', null),
    of('domains.checkClaimedUntil', '<=', now),
    of('domains.checkClaimedUntil', '>', claimUntil),
  ])

type DomainOf = { id: string; workspaceId: string }

/** Number of the workspace's domains with an open page. */
const countWatched = (tx: Db, { id, workspaceId }: DomainOf, since: Date) =>
  tx
    .selectFrom('domains as others')
    .select(sql<number>`count(*)`.as('count'))
    .where('others.workspaceId', '=', workspaceId)
    .where('others.watchedAt', '>', since)
    .where('others.id', '<>', id)

/** Marks the domain's page as open. Returns false when it was marked just now, or when too many pages are open. */
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

/** Makes checks that are due later than `at` due at `at`. Returns whether there were any. */
export const makeChecksDueAt = async (db: Db, domain: DomainOf, at: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('domainRecords')
    .set({ nextCheckAt: at })
    .where('domainId', '=', domain.id)
    .where('workspaceId', '=', domain.workspaceId)
    .where('nextCheckAt', '>', at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
