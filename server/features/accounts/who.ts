import type { User } from '#contract/auth.ts'
import type { CallerRole } from '#contract/rights.ts'
import type { UserRecord } from './auth-store.ts'

/** The caller: every rule that needs one takes this. */
export type Who = {
  userId: string
  sessionId: string
  /** The tenant of this request; every query of its rows names it. */
  workspaceId: string
  role: CallerRole
  /** Address of the client, for throttles and the session list. */
  ip: string
}

export type UserRow = { userId: string } & Pick<
  UserRecord,
  'firstName' | 'lastName' | 'email' | 'avatar' | 'mailboxId'
>

export const toUser = (row: UserRow): User => ({
  _id: row.userId,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  name: `${row.firstName} ${row.lastName}`.trim(),
  avatar: row.avatar,
  ...(row.mailboxId !== null && { mailboxId: row.mailboxId }),
})
