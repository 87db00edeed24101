import { type Selectable, sql } from 'kysely'
import { isReadable, type Reading } from '#server/features/mailboxes/folder-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { renamedOf } from '#server/storage/raw-rows.ts'
import type { MessageStructuresTable } from '#server/storage/rows/conversation-tables.ts'
import type { MessagesTable } from '#server/storage/rows/mailbox-tables.ts'
import { type FolderPlace, messagesByUid } from '../structures/structures-store.ts'
import type { FlagsRow } from './message-flags.ts'
import { isIn } from './uid-store.ts'

const ofStructure = ['structure', 'envelope', 'bodyStructure'] as const

export type StructureColumn = (typeof ofStructure)[number]

export type StoredMessage = FlagsRow &
  Pick<
    Selectable<MessagesTable>,
    'blob' | 'sizeBytes' | 'date' | 'savedAt' | 'threadId' | 'preview'
  > & {
    /** null: not written yet. */
    [Column in StructureColumn]: Selectable<MessageStructuresTable>[Column] | null
  }

export type StoredColumn = keyof StoredMessage

export const isOfStructure = (column: StoredColumn): column is StructureColumn =>
  (ofStructure as readonly string[]).includes(column)

/**
 * With their uids, and in that order; those that are gone are left out, and all where the user may not read them. No other column
 * is read: of a large folder each one takes time. A plain join would read all structures of a large mailbox.
 */
export const messagesOf = async <Column extends StoredColumn>(
  db: Db,
  place: FolderPlace & Reading,
  uids: readonly number[],
  { columns, changedSince }: { columns: readonly Column[]; changedSince: number | null },
): Promise<Pick<StoredMessage, Column | 'uid'>[]> => {
  const structured = columns.filter(isOfStructure)
  const own = new Set(['uid', ...columns.filter((column) => !isOfStructure(column))])
  const structures = sql`left join lateral (
      select * from message_structures s where s.mailbox_id = m.mailbox_id and s.message_id = m.id offset 0
    ) s on true`
  const isAny = structured.length > 0
  const { rows } = await sql<Pick<StoredMessage, Column | 'uid'>>`
    select ${renamedOf('m', [...own])} ${isAny ? sql`, ${renamedOf('s', structured)}` : sql``}
    from ${messagesByUid(place, uids)} ${isAny ? structures : sql``}
    where ${isIn(place)} and ${isReadable(place)}
      ${changedSince === null ? sql`` : sql`and m.modseq > ${changedSince}`}
    order by m.uid`.execute(db.withoutPlugins())
  return rows
}
