import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { columnsOf } from '#server/storage/raw-rows.ts'
import type { MessagesTable } from '#server/storage/rows/mailbox-tables.ts'
import type { FolderPlace } from '../structures/structures-store.ts'
import type { FlagsRow } from './message-flags.ts'
import { flagColumns, isIn } from './uid-store.ts'

export type StoredMessage = FlagsRow &
  Pick<
    Selectable<MessagesTable>,
    'blob' | 'sizeBytes' | 'date' | 'savedAt' | 'threadId' | 'preview'
  > & {
    /** null: not asked for, or not written yet. */
    structure: string | null
  }

const storedOfM = columnsOf('m', [
  ...flagColumns,
  ...['blob', 'sizeBytes', 'date', 'savedAt', 'threadId', 'preview'],
])

/** In the order of uids; those that are gone are left out. A join would read all structures of a large mailbox. */
export const messagesOf = async (
  db: Db,
  place: FolderPlace,
  uids: readonly number[],
  { isStructured, changedSince }: { isStructured: boolean; changedSince: number | null },
): Promise<StoredMessage[]> => {
  const structure = sql`(select s.structure from message_structures s
      where s.mailbox_id = m.mailbox_id and s.message_id = m.id)`
  const { rows } = await sql<StoredMessage>`
    select ${storedOfM}, ${isStructured ? structure : sql`null`} as structure
    from messages m where ${isIn(place)} and m.uid = any(${uids}::bigint[])
      ${changedSince === null ? sql`` : sql`and m.modseq > ${changedSince}`}
    order by m.uid`.execute(db)
  return rows
}
