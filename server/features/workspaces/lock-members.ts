import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { Who } from '#server/features/auth/who.ts'
import type { Db } from '#server/storage/database.ts'
import { lockWorkspaces } from './lock-workspaces.ts'
import { findMember } from './members-store.ts'

/**
 * Lets one transaction at a time change who is in the workspace, or is to be.
 * @throws FORBIDDEN when the caller may not, or no longer.
 */
export const lockMembers = async (tx: Db, who: Who): Promise<void> => {
  await lockWorkspaces(tx, [who.workspaceId])
  // Asked again behind the lock: two Admins may be removing each other.
  const caller = await findMember(tx, who.workspaceId, who.userId)
  if (!caller || !memberCan(caller.role, 'manage-members')) throw new AppError('FORBIDDEN')
}
