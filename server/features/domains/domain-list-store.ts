/** The list of domains, each with its counts. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { DomainRow } from './domain-queries.ts'

export type ListedDomain = DomainRow & {
  requiredRecords: number
  verifiedRecords: number
  failedRecords: number
  mailboxes: number
  catchAllId: string | null
  catchAllEmail: string | null
}

/** Newest first, each with its counts, in one query; none that was deleted. */
export const readDomainList = (
  db: Db,
  workspaceId: string,
  id: string | null = null,
): Promise<ListedDomain[]> => {
  const query = db
    .selectFrom('domains')
    .leftJoin(
      (records) =>
        records
          .selectFrom('domainRecords')
          .select([
            'domainId',
            sql<number>`count(*)`.as('required'),
            sql<number>`count(*) filter (where state = 'verified')`.as('verified'),
            sql<number>`count(*) filter (where state in ('different', 'conflict'))`.as('failed'),
          ])
          .where('workspaceId', '=', workspaceId)
          .where('isRequired', '=', true)
          .groupBy('domainId')
          .as('counts'),
      (join) => join.onRef('counts.domainId', '=', 'domains.id'),
    )
    .leftJoin('catchAlls', 'catchAlls.domainId', 'domains.id')
    .leftJoin('mailboxes as catchAll', (join) =>
      join
        .onRef('catchAll.id', '=', 'catchAlls.mailboxId')
        .onRef('catchAll.workspaceId', '=', 'domains.workspaceId'),
    )
    .selectAll('domains')
    .select(['catchAll.id as catchAllId', 'catchAll.email as catchAllEmail'])
    .select(({ fn, val }) => [
      fn.coalesce('counts.required', val(0)).as('requiredRecords'),
      fn.coalesce('counts.verified', val(0)).as('verifiedRecords'),
      fn.coalesce('counts.failed', val(0)).as('failedRecords'),
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
  return (id === null ? query : query.where('domains.id', '=', id)).execute()
}
