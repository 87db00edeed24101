/** The lines of the audit log. Only their end is written later; nothing else of them changes. */
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { AuditTopic } from '#contract/workspace/audit-log.ts'
import type { Placed, Range } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import type { AuditLogTable } from '#server/storage/rows/workspace-tables.ts'
import { sortedBy } from '#server/storage/sorted-rows.ts'

export type AuditRow = Selectable<AuditLogTable>

export const insertLine = async (db: Db, row: Insertable<AuditLogTable>): Promise<void> => {
  await db.insertInto('auditLog').values(row).execute()
}

export const finishLine = async (
  db: Db,
  { workspaceId, id }: Pick<AuditRow, 'workspaceId' | 'id'>,
  end: { object: string; objectAfter: string | null; details: string },
): Promise<void> => {
  await db
    .updateTable('auditLog')
    .set({ ...end, isDone: true })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Nothing was changed. */
export const deleteLine = async (
  db: Db,
  { workspaceId, id }: Pick<AuditRow, 'workspaceId' | 'id'>,
): Promise<void> => {
  await db
    .deleteFrom('auditLog')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export const deleteLinesOf = async (db: Db, workspaceId: string): Promise<void> => {
  await db.deleteFrom('auditLog').where('workspaceId', '=', workspaceId).execute()
}

export type AuditSearch = {
  workspaceId: string
  email: string | null
  /** Of those without an address. */
  byWhat: string | null
  topic: AuditTopic | null
  /** For `ilike`. */
  pattern: string | null
  since: Date | null
  before: Date | null
  direction: 'up' | 'down'
}

export const auditPageQuery = (
  search: AuditSearch,
  range: Range,
): RawBuilder<AuditRow & Placed> => {
  const key = { by: sql`at`, kind: 'time' } as const
  const sorted = sortedBy(key, sql`id`, search.direction, range)
  return sql<AuditRow & Placed>`
    select *, ${sorted.value} as sort_value from audit_log
    where ${isFound(search)} and ${sorted.isBeyond} order by ${sorted.order} limit ${sorted.limit}`
}

export const readAuditPage = async (
  db: Db,
  search: AuditSearch,
  range: Range,
): Promise<(AuditRow & Placed)[]> => (await auditPageQuery(search, range).execute(db)).rows

/** Up to `most`: a workspace may have a million lines. */
export const countLines = async (db: Db, search: AuditSearch, most: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from audit_log where ${isFound(search)} limit ${most}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

const isFound = ({ workspaceId, email, byWhat, topic, pattern, since, before }: AuditSearch) => {
  const all = [sql`workspace_id = ${workspaceId}`]
  if (email !== null) all.push(sql`email = ${email}`)
  if (byWhat !== null) all.push(sql`by_what = ${byWhat}`)
  if (topic !== null) all.push(sql`topic = ${topic}`)
  if (since !== null) all.push(sql`at >= ${since}`)
  if (before !== null) all.push(sql`at < ${before}`)
  if (pattern !== null)
    all.push(
      sql`(object ilike ${pattern} or object_after ilike ${pattern} or what ilike ${pattern})`,
    )
  return sql.join(all, sql` and `)
}

const DELETED_AT_ONCE = 5_000

/** Lines of the time before. */
export const deleteLines = async (db: Db, before: Date): Promise<void> => {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from audit_log where id in (
        select id from audit_log where at < ${before} limit ${DELETED_AT_ONCE}
      )`.execute(db)
    if (Number(numAffectedRows ?? 0) < DELETED_AT_ONCE) return
  }
}
