/** The history of records in the database. */
import { type Selectable, sql } from 'kysely'
import type { RecordPurpose } from '#contract/domains.ts'
import { newId } from '#server/lib/ids.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import type { DomainRecordChangesTable } from '#server/storage/rows/domain-tables.ts'
import type { Snapshot } from './record-changes.ts'

export type ChangeRow = Selectable<DomainRecordChangesTable>

/** Changes kept per record; older ones are deleted. */
const MOST_KEPT = 50

type Change = { purpose: RecordPurpose; at: Date; from: Snapshot; to: Snapshot }

/** The caller has locked the domain. */
export const insertChanges = async (
  tx: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  changes: Change[],
): Promise<void> => {
  if (changes.length === 0) return
  await tx
    .insertInto('domainRecordChanges')
    .values(
      changes.map(({ purpose, at, from, to }) => ({
        id: newId(at.getTime()),
        domainId: id,
        workspaceId,
        purpose,
        at,
        fromState: from.state,
        fromValues: JSON.stringify(from.values),
        toState: to.state,
        toValues: JSON.stringify(to.values),
      })),
    )
    .execute()
  for (const purpose of new Set(changes.map(({ purpose }) => purpose)))
    await tx
      .deleteFrom('domainRecordChanges')
      .where('domainId', '=', id)
      .where('workspaceId', '=', workspaceId)
      .where('id', 'in', (of) =>
        of
          .selectFrom('domainRecordChanges')
          .select('domainRecordChanges.id')
          .where('domainId', '=', id)
          .where('purpose', '=', purpose)
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .offset(MOST_KEPT),
      )
      .execute()
}

/** Newest first. */
export const readChanges = (
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  {
    purpose,
    after,
    limit,
  }: { purpose: RecordPurpose | null; after: PagePosition | null; limit: number },
): Promise<ChangeRow[]> =>
  db
    .selectFrom('domainRecordChanges')
    .selectAll()
    .where('domainId', '=', id)
    .where('workspaceId', '=', workspaceId)
    .$if(purpose !== null, (query) => query.where('purpose', '=', purpose))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(at, id) < (${after?.at}, ${after?.id}::uuid)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
