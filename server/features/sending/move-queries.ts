import type { Db } from '#server/storage/database.ts'
import { type Move, moveByMailbox } from '#server/storage/move-rows.ts'

/** Moves what the mailboxes of a domain sent and drafted, complaints about it, their contacts, uploads and stops to another workspace. */
export const moveSendingRows = (db: Db, move: Move): Promise<void> =>
  moveByMailbox(db, move, [
    ...([
      'sendings',
      'bounces',
      'complaints',
      'sending_stops',
      'uploads',
      'drafts',
      'sends',
      'contacts',
    ] as const),
  ])
