/** Records whose Admins are to be told something, in the database. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { Tables } from '#server/storage/tables.ts'
import { FAILURES_TO_TELL } from './watch-records.ts'

/** Failed often enough and nobody was told, or right again and somebody was told of the failure. */
const isToTell = (of: ExpressionBuilder<Tables, 'domainRecords' | 'domains'>) =>
  of.and([
    of('domains.isVerified', '=', true),
    of.or([
      of.and([of('failures', '>=', FAILURES_TO_TELL), of('alertedAt', 'is', null)]),
      of.and([of('failures', '=', 0), of('alertedAt', 'is not', null)]),
    ]),
  ])

/** As the index has it. */
const isMarked = sql<boolean>`(failures > 0 or alerted_at is not null)`

export const readWorkspacesToTell = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('domainRecords')
    .innerJoin('domains', 'domains.id', 'domainRecords.domainId')
    .select('domains.workspaceId')
    .distinct()
    .where(isMarked)
    .where(isToTell)
    .execute()
  return rows.map(({ workspaceId }) => workspaceId)
}

/** By domain and then as on the page. Their domains are locked, so that no check of them ends meanwhile. */
export const lockRecordsToTell = async (tx: Db, workspaceId: string) => {
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
    .innerJoin('domains', 'domains.id', 'domainRecords.domainId')
    .select([
      ...(['domainId', 'purpose', 'type', 'domainRecords.name', 'value', 'priority'] as const),
      ...(['found', 'explanation', 'fix', 'failures', 'failedAt', 'changedAt'] as const),
      'domains.name as domainName',
    ])
    .where('domainRecords.workspaceId', '=', workspaceId)
    .where(isToTell)
    .orderBy('domains.name')
    .orderBy('position')
    .execute()
}

export type RecordToTell = Awaited<ReturnType<typeof lockRecordsToTell>>[number]

/** After `lockRecordsToTell`: whoever fails is told of, and whoever is right again is forgotten. */
export const markTold = async (tx: Db, workspaceId: string, now: Date): Promise<void> => {
  await tx
    .updateTable('domainRecords')
    .from('domains')
    .set({ alertedAt: sql<Date | null>`case when failures > 0 then ${now}::timestamptz end` })
    .whereRef('domains.id', '=', 'domainRecords.domainId')
    .where('domainRecords.workspaceId', '=', workspaceId)
    .where(isToTell)
    .execute()
}

export const readMailedAt = async (db: Db, workspaceId: string): Promise<Date | null> => {
  const row = await db
    .selectFrom('domainAlerts')
    .select('mailedAt')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  return row?.mailedAt ?? null
}

export const writeMailedAt = async (tx: Db, workspaceId: string, mailedAt: Date): Promise<void> => {
  await tx
    .insertInto('domainAlerts')
    .values({ workspaceId, mailedAt })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ mailedAt }))
    .execute()
}
