import { sql } from 'kysely'
import type { RecordPurpose, RecordState } from '#contract/domains.ts'
import type { Db } from '#server/storage/database.ts'
import { isRecordToDo } from './domain-list-store.ts'
import { uncheckedSince } from './work-queries.ts'

type HealthRecord = {
  purpose: RecordPurpose
  required: boolean
  state: RecordState
  explanation: string
  /** ISO 8601. */
  checkedAt: string | null
  changedAt: string | null
  verifiedAt: string | null
  isToDo: boolean
  uncheckedSince: string | null
}

/**
 * The domains of a workspace, or those of them with these ids, with their records and what is known of their DNS: one query,
 * which finds the records of each by their key.
 */
export const readHealth = (db: Db, workspaceId: string, ids: readonly string[] | null) =>
  healthQuery(db, workspaceId, ids).execute()

/** Exported, so that a test can check its query plan. */
export const healthQuery = (db: Db, workspaceId: string, ids: readonly string[] | null) => {
  const query = db
    .selectFrom('domains')
    .leftJoin('domainSettings', (join) =>
      join
        .onRef('domainSettings.domainId', '=', 'domains.id')
        .onRef('domainSettings.workspaceId', '=', 'domains.workspaceId'),
    )
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom('domainRecords')
          .select(
            sql<HealthRecord[]>`coalesce(json_agg(json_build_object(
              'purpose', purpose, 'required', is_required, 'state', state,
              'explanation', explanation, 'checkedAt', checked_at, 'changedAt', changed_at,
              'verifiedAt', verified_at, 'isToDo', ${isRecordToDo('domain_records')},
              'uncheckedSince', ${uncheckedSince('domain_records')}) order by position), '[]')`.as(
              'records',
            ),
          )
          .whereRef('domainRecords.domainId', '=', 'domains.id')
          .whereRef('domainRecords.workspaceId', '=', 'domains.workspaceId')
          .as('listed'),
      (join) => join.onTrue(),
    )
    .select(['domains.id', 'domains.name', 'listed.records'])
    .select(['zone', 'nameServers', 'mx'])
    .where('domains.workspaceId', '=', workspaceId)
    .where('domains.endsAt', 'is', null)
    .orderBy('domains.createdAt', 'desc')
    .orderBy('domains.id', 'desc')
  return ids === null
    ? query
    : query.where('domains.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
}
