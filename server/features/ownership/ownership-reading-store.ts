/** Ownership as the pages show it. Reads only the token of other workspaces' domains, which is public in DNS. */
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { countOfMailboxes } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'

export const readOwnership = (db: Db, workspaceId: string, id: string) =>
  ownership(db, workspaceId).where('domains.id', '=', id).executeTakeFirst()

/** Domains with a missing proof, with claims by other workspaces, or that this workspace claims or claimed after `since`. */
export const readQuestioned = (db: Db, workspaceId: string, since: Date) =>
  ownership(db, workspaceId)
    .where((is) =>
      is.or([
        is('missingProofs.domainId', 'is not', null),
        is.exists(
          is
            .selectFrom('domainClaims')
            .select('id')
            .whereRef('domainClaims.holderDomainId', '=', 'domains.id')
            .where('outcome', 'is', null),
        ),
        is.and([
          is('domains.isVerified', '=', false),
          is.exists(
            is
              .selectFrom('domainClaims')
              .select('id')
              .whereRef('domainClaims.domainId', '=', 'domains.id')
              .where((ended) =>
                ended.or([ended('outcome', 'is', null), ended('endedAt', '>', since)]),
              ),
          ),
        ]),
      ]),
    )
    .orderBy('domains.name')
    .execute()

export type OwnershipRow = Awaited<ReturnType<typeof readQuestioned>>[number]

const ownership = (db: Db, workspaceId: string) =>
  db
    .selectFrom(domainRows(db).as('domains'))
    .leftJoin('missingProofs', (on) =>
      on
        .onRef('missingProofs.domainId', '=', 'domains.id')
        .onRef('missingProofs.workspaceId', '=', 'domains.workspaceId'),
    )
    .select([
      'domains.id',
      'domains.name',
      'domains.ownershipToken',
      'domains.isVerified',
      'domains.sendingStoppedAt',
      'missingProofs.since',
      'missingProofs.stopsAt',
      'missingProofs.releasesAt',
    ])
    .select(countOfMailboxes(db, 'domains.id').as('mailboxes'))
    .where('domains.workspaceId', '=', workspaceId)
    .where('domains.endsAt', 'is', null)

/** Claims by this workspace's domains, latest first. `otherToken`: the token of the holder. */
export const readOwnClaims = (db: Db, workspaceId: string, domainIds: string[]) =>
  db
    .selectFrom('domainClaims')
    .leftJoin(domainRows(db).as('holder'), 'holder.id', 'domainClaims.holderDomainId')
    .select([
      'domainClaims.id',
      'domainClaims.domainId',
      'startedAt',
      'decidesAt',
      'isHolderProven',
      'outcome',
      'endedAt',
      'holder.ownershipToken as otherToken',
    ])
    .where('domainClaims.workspaceId', '=', workspaceId)
    .where('domainClaims.domainId', 'in', domainIds)
    .orderBy('startedAt', 'desc')
    .orderBy('domainClaims.id')
    .execute()

/** Open claims of other workspaces. The domain ids must be of this workspace. */
export const readClaimsOn = (db: Db, workspaceId: string, domainIds: string[]) =>
  db
    .selectFrom('domainClaims')
    .innerJoin(domainRows(db).as('domains'), 'domains.id', 'domainClaims.holderDomainId')
    .select([
      'domainClaims.id',
      'domainClaims.holderDomainId',
      'startedAt',
      'decidesAt',
      'isHolderProven',
    ])
    .where('domains.workspaceId', '=', workspaceId)
    .where('domains.id', 'in', domainIds)
    .where('outcome', 'is', null)
    .orderBy('startedAt')
    .execute()

export const readReleased = (db: Db, workspaceId: string, since: Date) =>
  db
    .selectFrom('releasedDomains')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('releasedAt', '>', since)
    .where('name', 'not in', (of) =>
      of
        .selectFrom(domainRows(db).as('domains'))
        .select('domains.name')
        .where('domains.workspaceId', '=', workspaceId),
    )
    .orderBy('releasedAt', 'desc')
    .limit(50)
    .execute()
