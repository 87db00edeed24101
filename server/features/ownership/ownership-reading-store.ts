/** What the pages show of ownership. Of another workspace's domain nothing but the token, which stands in DNS for all to see. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export const readOwnership = (db: Db, workspaceId: string, id: string) =>
  ownership(db, workspaceId).where('domains.id', '=', id).executeTakeFirst()

/** Whose proof is missing, that others claim, or that the workspace itself claims or did so since `since`. */
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
    .selectFrom('domains')
    .leftJoin('missingProofs', 'missingProofs.domainId', 'domains.id')
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
    .select((of) =>
      of
        .selectFrom('mailboxes')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('mailboxes.domainId', '=', 'domains.id')
        .$asScalar()
        .$notNull()
        .as('mailboxes'),
    )
    .where('domains.workspaceId', '=', workspaceId)

/** Of this workspace's domains, latest first; `otherToken` of the holder. */
export const readOwnClaims = (db: Db, workspaceId: string, domainIds: string[]) =>
  db
    .selectFrom('domainClaims')
    .leftJoin('domains as holder', 'holder.id', 'domainClaims.holderDomainId')
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

/** Open claims of others on domains of this workspace, which were read with its id. */
export const readClaimsOn = (db: Db, workspaceId: string, domainIds: string[]) =>
  db
    .selectFrom('domainClaims')
    .innerJoin('domains', 'domains.id', 'domainClaims.holderDomainId')
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
      of.selectFrom('domains').select('name').where('workspaceId', '=', workspaceId),
    )
    .orderBy('releasedAt', 'desc')
    .limit(50)
    .execute()
