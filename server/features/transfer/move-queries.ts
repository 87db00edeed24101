import type { Db } from '#server/storage/database.ts'
import { type Move, moveByMailbox } from '#server/storage/move-rows.ts'

/** A domain goes to another workspace: what its mailboxes export and import goes along. */
export const moveTransferRows = (db: Db, move: Move): Promise<void> =>
  moveByMailbox(db, move, [
    ...(['mail_exports', 'mail_imports', 'mail_import_chunks', 'mail_import_faults'] as const),
  ])
