import { type Kysely, sql } from 'kysely'

/**
 * A change of thousands of messages took quadratic time where the first change of the session had been of one: PostgreSQL keeps
 * the plan of a function, and joined the rows of before, which it took for one, by a nested loop. The table has an index to join by.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of ['note_changed', 'note_removed']) {
    const { rows } = await sql<{ text: string }>`
      select pg_get_functiondef(${name}::regproc) as text`.execute(db)
    const text = rows[0]?.text ?? ''
    if (!text.includes(BEFORE)) throw new Error(`${name} does not join as it did`)
    await sql.raw(text.replace(BEFORE, NOW)).execute(db)
  }
}

const BEFORE = 'left join was using (folder_id, thread_id)'
const NOW =
  'left join conversations was on was.folder_id = changes.folder_id and was.thread_id = changes.thread_id'
