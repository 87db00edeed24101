import type { User } from '#contract/auth.ts'

export type UserRow = {
  userId: string
  firstName: string
  lastName: string
  email: string
  avatar: string | null
  mailboxId: string | null
}

export const toUser = (row: UserRow): User => ({
  _id: row.userId,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  name: `${row.firstName} ${row.lastName}`.trim(),
  avatar: row.avatar,
  ...(row.mailboxId !== null && { mailboxId: row.mailboxId }),
})
