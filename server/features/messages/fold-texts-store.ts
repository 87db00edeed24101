/** Folds the letters of mail that was stored before searches did so, and adds the names of its files (decision 066). */
import { sql } from 'kysely'
import type { Database, Db } from '#server/storage/database.ts'

/** Of one look: the loop looks every two seconds, and a text takes the database up to a few milliseconds. */
const AT_ONCE = 200

/** Continues where `text_folding` says, newest first. Does nothing once all mail has been folded. */
export const foldTextsBelow = (db: Database): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const place = await tx
      .selectFrom('textFolding')
      .select('below')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (place === undefined) return
    const ids = await nextTexts(tx, place.below)
    const lowest = ids.at(-1)
    if (lowest === undefined) {
      await tx.deleteFrom('textFolding').execute()
      return
    }
    if (await foldTexts(tx, ids))
      await tx.updateTable('textFolding').set({ below: lowest }).execute()
  })

const nextTexts = async (tx: Db, below: string): Promise<string[]> => {
  const rows = await tx
    .selectFrom('messageTexts')
    .select('messageId as id')
    .where('messageId', '<', below)
    .orderBy('messageId', 'desc')
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Never waits for a row that is changed or deleted just now, because that change may wait for this one.
 * @returns false when such a row was left out.
 */
const foldTexts = async (tx: Db, ids: readonly string[]): Promise<boolean> => {
  const { rows } = await sql<{ id: string; isPlain: boolean }>`
    select t.message_id as id, not m.has_attachments and octet_length(t.search::text) = char_length(t.search::text)
      and octet_length(t.head) = char_length(t.head) as is_plain
    from message_texts t join messages m on m.id = t.message_id
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
