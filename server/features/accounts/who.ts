import type { User } from '#contract/auth.ts'
import type { Reach } from '#contract/developers/key-reach.ts'
import type { CallerRole } from '#contract/rights.ts'
import type { Actor } from '#server/features/audit/record-change.ts'
import type { UserRecord } from './auth-store.ts'
import { browserName } from './notices/browser-name.ts'

/** The caller: every rule that needs one takes this. */
export type Who = {
  userId: string
  sessionId: string
  /** The API key of the request; absent in a session. */
  keyId?: string
  /** Of its key, when it is narrowed: other domains and mailboxes are to this caller as if they did not exist. */
  reach?: Reach
  /** What its owner calls it. */
  keyName?: string
  /** The tenant of this request; every query of its rows names it. */
  workspaceId: string
  role: CallerRole
  /** Address of the client, for throttles and the session list. */
  ip: string
  /** As the client calls itself; absent where none did. */
  userAgent?: string
}

export type UserRow = { userId: string } & Pick<
  UserRecord,
  'firstName' | 'lastName' | 'email' | 'avatar' | 'mailboxId'
> & { factorDueAt?: Date | null }

export const toUser = (row: UserRow): User => ({
  _id: row.userId,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  name: `${row.firstName} ${row.lastName}`.trim(),
  avatar: row.avatar,
  ...(row.mailboxId !== null && { mailboxId: row.mailboxId }),
  ...(row.factorDueAt && { factorDueAt: row.factorDueAt.toISOString() }),
})

/** Who changes something, as the audit log names them. */
type Acting = Actor & { userId: string }
type Caller = Who & { user: Pick<User, 'name' | 'email'> }

export const actorOf = ({ userId, user, keyId, keyName, userAgent, ip }: Caller): Acting => ({
  ...{ userId, name: user.name, email: user.email, ip },
  byWhat: keyId === undefined ? browserName(userAgent ?? '') : `API key ${keyName ?? keyId}`,
})

type Person = { id: string; firstName: string; lastName: string; email: string }

/** Of somebody who opened a mailed link, signed in or not. */
export const linkActor = ({ id, firstName, lastName, email }: Person, ip: string): Acting => ({
  ...{ userId: id, name: `${firstName} ${lastName}`.trim(), email, ip },
  byWhat: 'A mailed link',
})
