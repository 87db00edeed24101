import type { Member } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { findMembers, type MemberRow } from '../members-store.ts'

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
