import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { columnsOf } from '#server/storage/raw-rows.ts'
import type { FolderPlace } from '../structures/structures-store.ts'
import type { FlagsRow } from './message-flags.ts'
import { flagColumns, isIn } from './uid-store.ts'

export type SentCopy = FlagsRow & { hasBcc: boolean }

const flagsOfM = columnsOf('m', flagColumns)

/** The newest message of the folder that is the same letter and came into it since then. The caller has locked the mailbox. */
export const findSentCopy = async (
  tx: Db,
  place: FolderPlace,
  letter: { messageId: string; subject: string; from: string },
  since: Date,
): Promise<SentCopy | undefined> => {
  const { rows } = await sql<SentCopy>`
    select ${flagsOfM}, m.bcc <> '[]' as has_bcc from messages m
    where ${isIn(place)} and m.message_id = ${letter.messageId} and m.subject = ${letter.subject}
      and coalesce(lower(m."from" ->> 'address'), '') = ${letter.from.toLowerCase()}
      and m.saved_at >= ${since} and not m.is_deleted
    order by m.uid desc limit 1`.execute(tx)
  return rows[0]
}

/** The program's copy names the blind recipients, which the letter on its way did not. */
export const noteBcc = async (
  tx: Db,
  { workspaceId, mailboxId }: FolderPlace,
  id: string,
  { bcc, modseq }: { bcc: readonly object[]; modseq: number },
): Promise<void> => {
  await tx
    .updateTable('messages')
    .set({ bcc: JSON.stringify(bcc), modseq })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .execute()
}
