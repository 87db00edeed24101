/** Roles and departures. A workspace keeps at least one Admin, also when two leave at once. */
import { AppError } from '#contract/errors.ts'
import { type Role, role } from '#contract/rights.ts'
import type { Member } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceMembership } from '#server/storage/notifications.ts'
import { endWaysIn } from './end-ways-in.ts'
import { lockMembers } from './hold-right.ts'
import {
  countAdmins,
  deleteMember,
  findMember,
  findMembers,
  lockMember,
  type MemberRow,
  setRole,
} from './members-store.ts'

/** @throws NOT_EXISTS, LAST_ADMIN */
export const changeRole = (app: App, who: Who, userId: string, given: Role): Promise<Member> =>
  change(app, who, userId, given, async (tx, row) => {
    if (given !== 'Admin') await requireOtherAdmin(tx, who, row)
    if (isLess(given, row.role)) await endWaysIn(app, tx, who, row, given)
    await setRole(tx, who.workspaceId, row.userId, given)
    // Event streams tell of what the role may see.
    await announceMembership(tx)
    return toMember({ ...row, role: given }, who)
  })

/** By name. */
export const listMembers = async (app: App, who: Who): Promise<Member[]> =>
  (await findMembers(app.db, who.workspaceId)).map((row) => toMember(row, who))

export const toMember = (row: MemberRow, who: Who): Member => ({
  _id: row.userId,
  name: `${row.firstName} ${row.lastName}`.trim(),
  email: row.email,
  avatar: row.avatar,
  role: row.role,
  lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  isYou: row.userId === who.userId,
})

/** @throws NOT_EXISTS, LAST_ADMIN */
export const removeMember = (app: App, who: Who, userId: string): Promise<void> =>
  change(app, who, userId, 'removed', async (tx, row) => {
    await requireOtherAdmin(tx, who, row)
    await endWaysIn(app, tx, who, row, null)
    await deleteMember(tx, who.workspaceId, row.userId)
    await announceMembership(tx)
  })

/** That they are of this workspace. @throws NOT_EXISTS */
export const requireMember = async (app: App, who: Who, userId: string): Promise<void> => {
  if (!isId(userId) || !(await findMember(app.db, who.workspaceId, userId)))
    throw new AppError('NOT_EXISTS')
}

const change = async <T>(
  app: App,
  who: Who,
  userId: string,
  to: Role | 'removed',
  act: (tx: Db, row: MemberRow) => Promise<T>,
): Promise<T> => {
  if (!isId(userId)) throw new AppError('NOT_EXISTS')
  return inTransaction(app.db, async (tx) => {
    await lockMembers(tx, who)
    await lockMember(tx, who.workspaceId, userId)
    const row = await findMember(tx, who.workspaceId, userId)
    if (!row) throw new AppError('NOT_EXISTS')
    // Before the membership goes, while the one who leaves still hears it.
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    logRight(app, tx, who, { what: 'member', objectId: userId, change: to, whose: userId })
    return act(tx, row)
  })
}

/** The roles stand in the order of what they may do. */
const isLess = (one: Role, other: Role): boolean =>
  role.options.indexOf(one) > role.options.indexOf(other)

const requireOtherAdmin = async (tx: Db, who: Who, row: MemberRow): Promise<void> => {
  if (row.role === 'Admin' && (await countAdmins(tx, who.workspaceId)) < 2)
    throw new AppError('LAST_ADMIN')
}
