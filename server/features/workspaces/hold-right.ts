import { AppError } from '#contract/errors.ts'
import { memberCan, type Right } from '#contract/rights.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { holdMemberRole, lockWorkspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { findMember } from './member-queries.ts'

/**
 * Checked again in the transaction that gives access: taking the caller's role waits until it ends, and then
 * ends what was made (decision 044). Before any domain or mailbox is locked.
 * @throws FORBIDDEN when the caller may not, or no longer.
 */
export const holdRight = async (tx: Db, who: Who, right: Right): Promise<void> => {
  const role = await holdMemberRole(tx, who.workspaceId, who.userId)
  if (role === undefined || !memberCan(role, right)) throw new AppError('FORBIDDEN')
}

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

/**
 * Makes everything that bills these workspaces, or changes who is in them, wait until the transaction
 * ends. Before any other row of theirs is locked.
 */
export const lockWorkspaces = (tx: Db, ids: string[]): Promise<void> => lockWorkspaceRows(tx, ids)
