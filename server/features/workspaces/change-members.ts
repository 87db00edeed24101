/** Roles and departures. A workspace keeps at least one Admin, also when two leave at once. */
import { AppError } from '#contract/errors.ts'
import type { Role } from '#contract/rights.ts'
import type { Member } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceMembership } from '#server/storage/notifications.ts'
import { toMember } from './list-members.ts'
import { lockMembers } from './lock-members.ts'
import { countAdmins, deleteMember, findMember, type MemberRow, setRole } from './members-store.ts'

/** @throws NOT_EXISTS, LAST_ADMIN */
export const changeRole = (app: App, who: Who, userId: string, role: Role): Promise<Member> =>
  change(app, who, userId, async (tx, row) => {
    if (role !== 'Admin') await requireOtherAdmin(tx, who, row)
    await setRole(tx, who.workspaceId, row.userId, role)
    return toMember({ ...row, role }, who)
  })

/** @throws NOT_EXISTS, LAST_ADMIN */
export const removeMember = (app: App, who: Who, userId: string): Promise<void> =>
  change(app, who, userId, async (tx, row) => {
    await requireOtherAdmin(tx, who, row)
    await deleteMember(tx, who.workspaceId, row.userId)
    await announceMembership(tx)
  })

const change = async <T>(
  app: App,
  who: Who,
  userId: string,
  act: (tx: Db, row: MemberRow) => Promise<T>,
): Promise<T> => {
  if (!isId(userId)) throw new AppError('NOT_EXISTS')
  return app.db.transaction().execute(async (tx) => {
    await lockMembers(tx, who)
    const row = await findMember(tx, who.workspaceId, userId)
    if (!row) throw new AppError('NOT_EXISTS')
    // Before the membership goes, while the one who leaves still hears it.
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    return act(tx, row)
  })
}

const requireOtherAdmin = async (tx: Db, who: Who, row: MemberRow): Promise<void> => {
  if (row.role === 'Admin' && (await countAdmins(tx, who.workspaceId)) < 2)
    throw new AppError('LAST_ADMIN')
}
