import type { Db } from '#server/storage/database.ts'
import type { Counted, Sender } from './check-brakes.ts'
import { deleteCorrespondents, deleteSending } from './sendings-store.ts'

/** Gives back what a message was counted as that was taken back before it went. */
export const uncount = async (
  tx: Db,
  { workspaceId, id: mailboxId }: Sender,
  { sendingId, newCorrespondents }: Counted,
): Promise<void> => {
  if (sendingId === null) return
  await deleteSending(tx, workspaceId, sendingId)
  await deleteCorrespondents(tx, { workspaceId, mailboxId }, newCorrespondents)
}
