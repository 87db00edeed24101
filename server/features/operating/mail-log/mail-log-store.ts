import { sql } from 'kysely'
import { literally } from '#server/lib/plain-text.ts'
import type { Db } from '#server/storage/database.ts'
import { inParts } from '#server/storage/raw-rows.ts'
import type { MailLogTable } from '#server/storage/rows/operator-tables.ts'

export type MailLogRow = MailLogTable

export const addToMailLog = async (db: Db, rows: readonly MailLogRow[]): Promise<void> => {
  // Of all parts or none: a part that was stored would come again.
  await db.transaction().execute(async (tx) => {
    for (const part of inParts(rows)) await tx.insertInto('mailLog').values(part).execute()
  })
}

/** An address, or a domain with all below it. */
export type LoggedWord = { address: string } | { domain: string }

/** Both columns are read from their ends, so that a domain is a beginning. */
const isOf = (column: 'mail_from' | 'recipient', word: LoggedWord) => {
  const read = sql`reverse(lower(${sql.ref(column)}))`
  if ('address' in word) return sql`${read} = reverse(${word.address})`
  const domain = literally(word.domain)
  return sql`(${read} like reverse(${`@${domain}`}) || '%' or ${read} like reverse(${`.${domain}`}) || '%')`
}

/** Newest first. Each word is of the sender or of the recipient. `before`: the last id of the page before. */
export const readMailLog = async (
  db: Db,
  words: readonly LoggedWord[],
  { before, limit }: { before: string | null; limit: number },
): Promise<MailLogRow[]> => {
  const each = words.map((word) => sql`(${isOf('mail_from', word)} or ${isOf('recipient', word)})`)
  const { rows } = await sql<MailLogRow>`
    select * from mail_log where ${sql.join(each, sql` and `)} ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(db)
  return rows
}

const DELETED_AT_ONCE = 5_000

/** Ids are in the order of time. */
export const deleteFromMailLog = async (db: Db, below: string): Promise<void> => {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from mail_log where id in (
        select id from mail_log where id < ${below} order by id limit ${DELETED_AT_ONCE}
      )`.execute(db)
    if (Number(numAffectedRows ?? 0) < DELETED_AT_ONCE) return
  }
}
