import type { Db } from '#server/storage/database.ts'
import { type Move, moveByDomain } from '#server/storage/move-rows.ts'

export const moveTestMailRows = (db: Db, move: Move): Promise<void> =>
  moveByDomain(db, move, ['test_mails'])
