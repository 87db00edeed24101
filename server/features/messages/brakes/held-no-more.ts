import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import type { Db } from '#server/storage/database.ts'
import { HELD_BACK } from './hold-back.ts'
import { lockStop } from './stops-store.ts'

/**
 * The attempt was held back, and an Admin resumed in the meantime: who resumes finds only what is held by then. To be asked
 * before the delivery is locked, as resuming does.
 */
export const isHeldNoMore = async (
  tx: Db,
  { workspaceId, mailboxId }: OutboxMessage,
  last: Attempt | undefined,
): Promise<boolean> =>
  last?.reply === HELD_BACK &&
  workspaceId !== null &&
  mailboxId !== null &&
  (await lockStop(tx, { workspaceId, mailboxId })) === undefined
