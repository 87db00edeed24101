/** The records of domains: for this room, and for those that check and prove domains. */
import { type Selectable, sql } from 'kysely'
import type { OptionalPurpose, RecordPurpose } from '#contract/domains.ts'
import type { ExpectedRecord } from '#server/dns/record-kind.ts'
import type { Db } from '#server/storage/database.ts'
import type { DomainRecordsTable } from '#server/storage/rows/domain-tables.ts'
import type { DomainKeyRow } from './domain-queries.ts'
import { uncheckedSince } from './work-queries.ts'

export type RecordRow = Selectable<DomainRecordsTable>
export type ReadRecord = RecordRow & { uncheckedSince: Date | null }

/** Not looked up yet; `nextCheckAt`: when they will be, unless a check of the whole domain comes first. */
export const insertRecords = async (
  db: Db,
  domain: { id: string; workspaceId: string },
  records: (ExpectedRecord & { nextCheckAt?: Date | null })[],
): Promise<void> => {
  if (records.length === 0) return
  const unseen = { nextCheckAt: null, found: '[]', checkedAt: null, changedAt: null }
  const place = { domainId: domain.id, workspaceId: domain.workspaceId }
  const rows = records.map((record) => ({ ...unseen, ...record, ...place }))
  await db.insertInto('domainRecords').values(rows).execute()
}

/** In the order of the page. */
export const readRecords = (db: Db, workspaceId: string, domainId: string): Promise<ReadRecord[]> =>
  db
    .selectFrom('domainRecords')
    .selectAll()
    .select(uncheckedSince('domain_records').as('uncheckedSince'))
    .where('domainId', '=', domainId)
    .where('workspaceId', '=', workspaceId)
    .orderBy('position')
    .execute()

export type RecordChange = Partial<
  Pick<
    RecordRow,
    | 'value'
    | 'priority'
    | 'state'
    | 'found'
    | 'explanation'
    | 'fix'
    | 'checkedAt'
    | 'nextCheckAt'
    | 'changedAt'
    | 'sightings'
    | 'verifiedAt'
    | 'unansweredSince'
    | 'failures'
    | 'failedAt'
  >
>

export const updateRecord = async (
  db: Db,
  domain: { id: string; workspaceId: string },
  purpose: RecordPurpose,
  { found, sightings, ...change }: RecordChange,
): Promise<void> => {
  await db
    .updateTable('domainRecords')
    .set({
      ...change,
      ...(found === undefined ? {} : { found: JSON.stringify(found) }),
      ...(sightings === undefined ? {} : { sightings: JSON.stringify(sightings) }),
    })
    .where('domainId', '=', domain.id)
    .where('workspaceId', '=', domain.workspaceId)
    .where('purpose', '=', purpose)
    .execute()
}

/** The RSA key always; the second key only while its record is verified. */
export const readSigningKeys = (db: Db, domainId: string): Promise<DomainKeyRow[]> =>
  db
    .selectFrom('domainKeys')
    .selectAll()
    .where('domainId', '=', domainId)
    .where((is) =>
      is.or([
        is('algorithm', '=', 'rsa'),
        is.exists(
          is
            .selectFrom('domainRecords')
            .select('domainRecords.domainId')
            .where('domainRecords.domainId', '=', domainId)
            .where('purpose', '=', 'dkim-ed25519')
            .where('state', '=', 'verified'),
        ),
      ]),
    )
    .orderBy('createdAt')
    .execute()

export const recordRows = (db: Db) =>
  db
    .selectFrom('domainRecords')
    .select(['domainId', 'workspaceId', 'purpose', 'state', 'isRequired'])
    .select(['checkedAt', 'unansweredSince'])

/** Makes these domains due for a check at `at`. */
export const scheduleChecksAt = async (db: Db, domainIds: string[], at: Date): Promise<void> => {
  if (domainIds.length === 0) return
  await db
    .updateTable('domainRecords')
    .set({ nextCheckAt: sql`least(next_check_at, ${at})` })
    .where('domainId', 'in', domainIds)
    .where('purpose', '=', 'ownership')
    .execute()
}

/** Hosts whose records name our web server. */
const HOSTS: OptionalPurpose[] = ['autoconfig', 'autodiscover', 'pacc', 'mta-sts-host']

const standing = (db: Db) =>
  db
    .selectFrom('domains')
    .where('domains.isVerified', '=', true)
    .where('domains.endsAt', 'is', null)

/** Those whose record was right at its last check. */
export const hostsLeadingHere = (db: Db) =>
  standing(db)
    .innerJoin('domainRecords', (on) =>
      on
        .onRef('domainRecords.domainId', '=', 'domains.id')
        .onRef('domainRecords.workspaceId', '=', 'domains.workspaceId'),
    )
    .where('domainRecords.purpose', 'in', HOSTS)
    .where('domainRecords.state', '=', 'verified')
    .select(['domainRecords.name', 'domains.workspaceId', 'domains.id as domainId'])

/** The name that people type into a mail program; no record of ours, so nobody has looked where it leads. */
export const mailHosts = (db: Db) =>
  standing(db).select([
    sql<string>`'mail.' || domains.name`.as('name'),
    ...(['domains.workspaceId', 'domains.id as domainId'] as const),
  ])
