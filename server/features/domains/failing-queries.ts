/** Records that fail or are right again, and about which the Admins get a mail. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { Tables } from '#server/storage/tables.ts'

/** After this many failures in a row the Admins get a mail (decision 020). */
export const FAILURES_TO_ALERT = 3

/** true: the record failed often enough and is not reported, or is right again after a reported failure. */
const isToAlert = (of: ExpressionBuilder<Tables, 'domainRecords' | 'domains'>) =>
  of.and([
    of('domains.isVerified', '=', true),
    of('domains.endsAt', 'is', null),
    of.or([
      of.and([of('failures', '>=', FAILURES_TO_ALERT), of('alertedAt', 'is', null)]),
      of.and([of('failures', '=', 0), of('alertedAt', 'is not', null)]),
    ]),
  ])

/** The condition of the partial index, word for word, so that PostgreSQL uses it. */
const isMarked = sql<boolean>`(failures > 0 or alerted_at is not null)`

export const readWorkspacesToAlert = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('domainRecords')
    .innerJoin('domains', (on) =>
      on
        .onRef('domains.id', '=', 'domainRecords.domainId')
        .onRef('domains.workspaceId', '=', 'domainRecords.workspaceId'),
    )
    .select('domains.workspaceId')
    .distinct()
    .where(isMarked)
    .where(isToAlert)
    .execute()
  return rows.map(({ workspaceId }) => workspaceId)
}

/** Ordered by domain, then as on the page. Locks the domains, so that no check stores results in the meantime. */
export const lockRecordsToAlert = async (tx: Db, workspaceId: string) => {
  await tx
    .selectFrom('domains')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', (of) =>
      of
        .selectFrom('domainRecords')
        .select('domainRecords.domainId')
        .where('domainRecords.workspaceId', '=', workspaceId)
        .where(isMarked),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return tx
    .selectFrom('domainRecords')
    .innerJoin('domains', (on) =>
      on
        .onRef('domains.id', '=', 'domainRecords.domainId')
        .onRef('domains.workspaceId', '=', 'domainRecords.workspaceId'),
    )
    .select([
      ...(['domainId', 'purpose', 'type', 'domainRecords.name', 'value', 'priority'] as const),
      ...(['found', 'explanation', 'fix', 'failures', 'failedAt', 'changedAt'] as const),
      'domains.name as domainName',
    ])
    .where('domainRecords.workspaceId', '=', workspaceId)
    .where(isToAlert)
    .orderBy('domains.name')
    .orderBy('position')
    .execute()
}

export type RecordToAlert = Awaited<ReturnType<typeof lockRecordsToAlert>>[number]

/** Marks failing records as reported and removes the mark of right ones. Call after `lockRecordsToAlert`. */
export const markAlerted = async (tx: Db, workspaceId: string, now: Date): Promise<void> => {
  await tx
    .updateTable('domainRecords')
    .from('domains')
    .set({ alertedAt: sql<Date | null>`case when failures > 0 then ${now}::timestamptz end` })
    .whereRef('domains.id', '=', 'domainRecords.domainId')
    .where('domainRecords.workspaceId', '=', workspaceId)
    .where(isToAlert)
    .execute()
}
