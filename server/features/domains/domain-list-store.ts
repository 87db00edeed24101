/** The list of domains, each with its counts. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { DomainRow } from './domain-queries.ts'
import { isNotRight, isToDo, uncheckedSince } from './work-queries.ts'

/** Of a long list every column costs: only those that it shows. */
const shown = ['id', 'name', 'isVerified', 'isActive', 'createdAt'] as const

export type ListedDomain = Pick<DomainRow, (typeof shown)[number]> & {
  requiredRecords: number
  verifiedRecords: number
  failedRecords: number
  needsWork: boolean
  uncheckedSince: Date | null
  mailboxes: number
  catchAllId: string | null
  catchAllEmail: string | null
}

/** About a row of `domains`. */
const hasMailboxes = sql<boolean>`exists (
  select from mailboxes where mailboxes.domain_id = domains.id and mailboxes.ends_at is null)`

/** For the conditions of `work-queries.ts`, in the queries of this room that have a row of `domains`. */
export const isRecordToDo = (row: string) => isToDo(row, hasMailboxes)

/** Of the required records of each domain. */
const requiredCounts = (db: Db, workspaceId: string) =>
  db
    .selectFrom('domainRecords')
    .select([
      'domainId',
      sql<number>`count(*)`.as('required'),
      sql<number>`count(*) filter (where state = 'verified')`.as('verified'),
      sql<number>`count(*) filter (where state in ('different', 'conflict'))`.as('failed'),
      sql<boolean>`bool_or(${isNotRight('domain_records')})`.as('isWork'),
      sql<Date | null>`min(${uncheckedSince('domain_records')})`.as('uncheckedSince'),
    ])
    .where('workspaceId', '=', workspaceId)
    .where('isRequired', '=', true)
    .groupBy('domainId')

/** Newest first, each with its counts, in one query; none that was deleted. `ids`: only these. */
export const readDomainList = (
  db: Db,
  workspaceId: string,
  ids: readonly string[] | null = null,
): Promise<ListedDomain[]> => {
  const query = db
    .selectFrom('domains')
    .leftJoin(requiredCounts(db, workspaceId).as('counts'), (join) =>
      join.onRef('counts.domainId', '=', 'domains.id'),
    )
    .leftJoin('domainRecords as mx', (join) =>
      join
        .onRef('mx.domainId', '=', 'domains.id')
        .onRef('mx.workspaceId', '=', 'domains.workspaceId')
        .on('mx.purpose', '=', 'mx'),
    )
    .leftJoin('catchAlls', (on) =>
      on
        .onRef('catchAlls.domainId', '=', 'domains.id')
        .onRef('catchAlls.workspaceId', '=', 'domains.workspaceId'),
    )
    .leftJoin('mailboxes as catchAll', (join) =>
      join
        .onRef('catchAll.id', '=', 'catchAlls.mailboxId')
        .onRef('catchAll.workspaceId', '=', 'domains.workspaceId'),
    )
    .select(shown.map((column) => `domains.${column}` as const))
    .select(['catchAll.id as catchAllId', 'catchAll.email as catchAllEmail'])
    .select(({ fn, val }) => [
      fn.coalesce('counts.required', val(0)).as('requiredRecords'),
      fn.coalesce('counts.verified', val(0)).as('verifiedRecords'),
      fn.coalesce('counts.failed', val(0)).as('failedRecords'),
      sql<boolean>`(coalesce(counts.is_work, true) or coalesce(${isRecordToDo('mx')}, false))`.as(
        'needsWork',
      ),
      sql<Date | null>`least(counts.unchecked_since,
        case when ${isRecordToDo('mx')} then ${uncheckedSince('mx')} end)`.as('uncheckedSince'),
    ])
    .select((of) =>
      of
        .selectFrom('mailboxes')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('mailboxes.domainId', '=', 'domains.id')
        .where('mailboxes.endsAt', 'is', null)
        .$asScalar()
        .$notNull()
        .as('mailboxes'),
    )
    .where('domains.workspaceId', '=', workspaceId)
    .where('domains.endsAt', 'is', null)
    .orderBy('domains.createdAt', 'desc')
    .orderBy('domains.id', 'desc')
  return (
    ids === null ? query : query.where('domains.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
  ).execute()
}
