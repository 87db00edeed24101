/** Folds the letters of mail that was stored before searches did so, and adds the names of its files (decision 066). */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** All texts of this id and above are folded; undefined when all are, or another process folds them now. */
export const lockFolding = async (tx: Db): Promise<string | undefined> =>
  (await tx.selectFrom('textFolding').select('below').forUpdate().skipLocked().executeTakeFirst())
    ?.below

export const noteFolded = async (tx: Db, below: string): Promise<void> => {
  await tx.updateTable('textFolding').set({ below }).execute()
}

export const endFolding = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('textFolding').execute()
}

export const nextTexts = async (tx: Db, below: string, limit: number): Promise<string[]> => {
  const rows = await tx
    .selectFrom('messageTexts')
    .select('messageId as id')
    .where('messageId', '<', below)
    .orderBy('messageId', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Never waits for a row that is changed or deleted just now, because that change may wait for this one.
 * @returns false when such a row was left out.
 */
export const foldTexts = async (tx: Db, ids: readonly string[]): Promise<boolean> => {
  const { rows } = await sql<{ id: string; isPlain: boolean }>`
    select t.message_id as id, not m.has_attachments and octet_length(t.search::text) = char_length(t.search::text)
      and octet_length(t.head) = char_length(t.head) as is_plain
    from message_texts t join messages m on m.id = t.message_id and m.workspace_id = t.workspace_id
    where t.message_id = any(${ids}::uuid[]) for update of t skip locked`.execute(tx)
  const wanting = rows.filter(({ isPlain }) => !isPlain).map(({ id }) => id)
  await sql`
    update message_texts t set search = fold_search(t.search) || ${wordsOfFiles},
      head = left(lower(fold_letters(t.head)), 2000)
    from messages m where m.id = t.message_id and t.message_id = any(${wanting}::uuid[])`.execute(
    tx,
  )
  if (rows.length === ids.length) return true
  const { rows: left } = await sql`
    select from message_texts where message_id = any(${ids}::uuid[])
      and message_id <> all(${rows.map(({ id }) => id)}::uuid[]) limit 1`.execute(tx)
  return left.length === 0
}

/** Of the message `m`, as the trigger `note_filed` has them. */
export const wordsOfFiles = sql`case when m.has_attachments then file_words(file_names_of(m.subject,
  people_of(m."from") || ' ' || people_of(m."to" || m.cc), m.preview, left(m.search_text, 100000))) else '' end`
