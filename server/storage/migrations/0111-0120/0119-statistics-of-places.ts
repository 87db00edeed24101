import { type Kysely, sql } from 'kysely'

/**
 * A folder is of one mailbox, and that of one workspace. PostgreSQL takes them for independent of each other, expects a row where
 * there are thousands, and reads and sorts them by a key that has two of them (decision 140).
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    await sql
      .raw(`create statistics ${table}_places (dependencies) on ${columns} from ${table}`)
      .execute(db)
    await sql.raw(`analyze ${table}`).execute(db)
  }
}

const COLUMNS = {
  conversations: 'workspace_id, mailbox_id, folder_id',
  message_structures: 'workspace_id, mailbox_id',
  message_texts: 'workspace_id, mailbox_id',
  messages: 'workspace_id, mailbox_id, folder_id',
  tombstones: 'workspace_id, mailbox_id, folder_id',
}
