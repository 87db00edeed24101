import { type RawBuilder, sql } from 'kysely'
import type { Person } from '#contract/messages.ts'
import type { Db } from '#server/storage/database.ts'
import type { FolderPlace } from '../structures/structures-store.ts'
import { isIn } from './uid-store.ts'

/** What messages may be put in order by; a column that is not asked for is not read. */
const columns = {
  date: sql`m.date`,
  sizeBytes: sql`m.size_bytes`,
  subject: sql`m.subject`,
  from: sql`m."from"`,
  to: sql`m."to" -> 0`,
  cc: sql`m.cc -> 0`,
  messageId: sql`m.message_id`,
  inReplyTo: sql`m.in_reply_to`,
  references: sql`m."references"`,
  /** The field Date as it was sent: the envelope is the first part of a stored structure. */
  sentDate: sql`(select substring(split_part(s.structure, ',"part":', 1) from '"date":"([^"]*)"')
    from message_structures s where s.mailbox_id = m.mailbox_id and s.message_id = m.id)`,
} satisfies Record<string, RawBuilder<unknown>>

export type OrderColumn = keyof typeof columns

export type RowToOrder = {
  uid: number
  date: Date
  sizeBytes: number
  subject: string
  from: Person | null
  /** The first one. */
  to: Person | null
  cc: Person | null
  messageId: string
  inReplyTo: string | null
  references: string[]
  sentDate: string | null
}

/** In the order of uids; those that are gone are left out. */
export const rowsToOrder = async <Column extends OrderColumn>(
  db: Db,
  place: FolderPlace,
  uids: readonly number[],
  wanted: readonly Column[],
): Promise<Pick<RowToOrder, 'uid' | Column>[]> => {
  const each = wanted.map((name) => sql`, ${columns[name]} as ${sql.id(name)}`)
  const { rows } = await sql<Pick<RowToOrder, 'uid' | Column>>`
    select m.uid ${sql.join(each, sql``)}
    from messages m where ${isIn(place)} and m.uid = any(${uids}::bigint[]) order by m.uid`.execute(
    db,
  )
  return rows
}
