/** Whether an address belongs to the workspace itself. */

import { userRows } from '#server/features/accounts/user-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

/** Whether the address is that of a mailbox holder of this workspace. */
export const isHoldersEmail = async (
  db: Db,
  workspaceId: string,
  email: string,
): Promise<boolean> =>
  (await db
    .selectFrom(userRows(db).as('users'))
    .innerJoin('mailboxes', 'mailboxes.id', 'users.mailboxId')
    .select('users.id')
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('users.email', '=', email)
    .executeTakeFirst()) !== undefined

/** Whether a workspace that the user is in gets the mail of this domain. */
export const isInOwnDomain = async (db: Db, userId: string, domain: string): Promise<boolean> =>
  (await db
    .selectFrom('domains')
    .innerJoin(memberRows(db).as('members'), 'members.workspaceId', 'domains.workspaceId')
    .select('domains.id')
    .where('domains.name', '=', domain)
    .where('domains.isVerified', '=', true)
    .where('members.userId', '=', userId)
    .limit(1)
    .executeTakeFirst()) !== undefined
