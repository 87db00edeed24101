import type { Db } from '#server/storage/database.ts'
import { deleteWaiting } from './outbox-store.ts'

/**
 * Takes a message out of the outbox of which nothing has been tried yet. Whoever claims one of its deliveries in the same
 * instant either comes first, and then nothing is taken back, or finds it gone. @returns whether it was taken back.
 */
export const takeBack = (db: Db, workspaceId: string, outboxMessageId: string): Promise<boolean> =>
  deleteWaiting(db, workspaceId, outboxMessageId)
