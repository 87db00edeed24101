/** Rows of any table of a workspace, as objects by the names of the columns, a thousand at a time. */
import { type RawBuilder, sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Database, Db } from '#server/storage/database.ts'

export type Row = Record<string, unknown>

const AT_ONCE = 1_000

/** Both files of a table show one moment. Each table has its own moment. */
export const inSnapshot = <T>(db: Database, read: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

async function* rowsOf(tx: Db, query: RawBuilder<unknown>): AsyncGenerator<Row> {
  await sql`declare exported no scroll cursor for select to_jsonb(t) as row from (${query}) t`.execute(
    tx,
  )
  for (let isMore = true; isMore; ) {
    const { rows } = await sql<{ row: Row }>`fetch ${sql.lit(AT_ONCE)} from exported`.execute(tx)
    for (const { row } of rows) yield row
    isMore = rows.length === AT_ONCE
  }
  // Not after a fault: the transaction closes it then, and a statement of its own would hide the fault.
  await sql`close exported`.execute(tx)
}

export const tableRows = (
  tx: Db,
  table: string,
  columns: readonly string[],
  workspaceId: string,
): AsyncGenerator<Row> =>
  rowsOf(
    tx,
    sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where workspace_id = ${workspaceId}`,
  )

/** Of one person: few. */
export const accountRows = async (
  db: Db,
  table: string,
  columns: readonly string[],
  userId: string,
): Promise<Row[]> => {
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(t) as row from (select ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(table)} where user_id = ${userId}) t`.execute(db)
  return rows.map(({ row }) => row)
}

/** Members, and the holders of its mailboxes. */
export const peopleRows = (tx: Db, workspaceId: string): AsyncGenerator<Row> =>
  rowsOf(
    tx,
    sql`select u.first_name, u.last_name, u.email, coalesce(m.role, 'Holder') as role, m.created_at as member_since,
        u.mailbox_id, u.last_login_at, u.created_at, u.id
      from ${userRows(tx)} u left join ${memberRows(tx)} m on m.user_id = u.id and m.workspace_id = ${workspaceId}
      where m.user_id is not null
        or u.mailbox_id in (select id from ${mailboxRows(tx)} b where b.workspace_id = ${workspaceId})`,
  )

/** Also those that wait for their end. */
export const mailboxesToExport = (db: Db, workspaceId: string) =>
  mailboxRows(db).where('workspaceId', '=', workspaceId).orderBy('email').orderBy('id').execute()
