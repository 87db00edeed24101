import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aDatabase } from '#test-world/database.ts'

const [WORKSPACES, FOLDERS, ROWS] = [20, 5, 40]

/** The same uuid for the same words. */
const idOf = (...parts: string[]) => sql.raw(`md5(${parts.join(" || '.' || ")})::uuid`)

test('PostgreSQL knows that a folder is of one mailbox and workspace', async () => {
  const { db, drop } = await aDatabase()
  try {
    await db.connection().execute(async (session) => {
      await sql`set session_replication_role = replica`.execute(session)
      await sql`
        insert into conversations (folder_id, thread_id, workspace_id, mailbox_id, latest_id, date, messages, unread, starred)
        select ${idOf("'folder'", 'w', 'f')}, ${idOf("'thread'", 'w', 'f', 'n')}, ${idOf("'workspace'", 'w')},
          ${idOf("'mailbox'", 'w')}, ${idOf("'mail'", 'w', 'f', 'n')}, now(), 1, 0, 0
        from generate_series(1, ${WORKSPACES}::int) w, generate_series(1, ${FOLDERS}::int) f, generate_series(1, ${ROWS}::int) n`.execute(
        session,
      )
    })
    await sql`analyze conversations`.execute(db)
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
      explain (format json) select from conversations
      where workspace_id = ${idOf("'workspace'", "'3'")} and mailbox_id = ${idOf("'mailbox'", "'3'")}
        and folder_id = ${idOf("'folder'", "'3'", "'2'")}`.execute(db)
    const expected = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows']
    // Taken for independent they are expected in less than one row.
    expect(expected).toBeGreaterThan(ROWS / 2)
    expect(expected).toBeLessThan(ROWS * 2)
  } finally {
    await drop()
  }
})
