import type { User } from '#contract/auth.ts'
import type { UserRecord } from './auth-store.ts'

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
