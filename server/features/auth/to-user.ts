import type { Selectable } from 'kysely'
import type { User } from '#contract/auth.ts'
import type { UsersTable } from '#server/storage/rows/account-tables.ts'

export type UserRow = { userId: string } & Pick<
  Selectable<UsersTable>,
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
