import { type Kysely, sql } from 'kysely'

/** The name of a blob begins with its segment (decision 088): the sweep asks for all names that begin so, in any collation. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = ['messages', 'outbox_messages', 'uploads', 'mail_import_chunks'].flatMap(
  (table) => [
    `drop index ${table}_blob`,
    `create index ${table}_blob on ${table} (blob text_pattern_ops)`,
  ],
)
