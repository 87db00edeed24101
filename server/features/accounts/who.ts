import type { User } from '#contract/auth.ts'
import type { Reach } from '#contract/developers/key-reach.ts'
import type { CallerRole } from '#contract/rights.ts'
import type { UserRecord } from './auth-store.ts'

/** The caller: every rule that needs one takes this. */
export type Who = {
  userId: string
  sessionId: string
  /** The API key of the request; absent in a session. */
  keyId?: string
  /** Of its key, when it is narrowed: other domains and mailboxes are to this caller as if they did not exist. */
  reach?: Reach
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
