import { AppError } from '#contract/errors.ts'
import { memberCan, type Right } from '#contract/rights.ts'
import type { Who } from '#server/features/auth/who.ts'
import type { Db } from '#server/storage/database.ts'
import { holdMemberRole } from './members-store.ts'

/**
 * Asked again inside the transaction that makes a way in: whoever takes the caller's role waits until it ends, and then
 * ends what was made (decision 044). Before any domain or mailbox is locked.
 * @throws FORBIDDEN when the caller may not, or no longer.
 */
export const holdRight = async (tx: Db, who: Who, right: Right): Promise<void> => {
  const role = await holdMemberRole(tx, who.workspaceId, who.userId)
  if (role === undefined || !memberCan(role, right)) throw new AppError('FORBIDDEN')
}
