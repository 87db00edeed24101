import type { Defaulted } from './column-types.ts'

export type UsersTable = {
  id: string
  /** Lower case. */
  email: string
  firstName: string
  lastName: string
  avatar: string | null
  /** argon2id, null while the user has only a third-party sign-in. */
  passwordHash: string | null
  verifiedAt: Date | null
  currentWorkspaceId: string | null
  lastLoginAt: Date | null
  createdAt: Date
  /** Of the holder of a mailbox, whose address `email` is; null for an account. */
  mailboxId: Defaulted<string | null>
}

/** A third-party sign-in: the issuer's `sub`, never an e-mail. */
export type IdentitiesTable = {
  issuer: string
  subject: string
  userId: string
  createdAt: Date
}

/** One refresh-token family. The token is HMAC(SECRET, id, generation). */
export type SessionsTable = {
  id: string
  userId: string
  generation: number
  tokenHash: Buffer
  /** When the latest generations before this one were spent, newest first. */
  spentAt: Defaulted<Date[]>
  createdAt: Date
  expiresAt: Date
  endedAt: Date | null
  ip: string
  userAgent: string
}

/** Browsers in which this user has logged in before. */
export type KnownDevicesTable = {
  userId: string
  deviceHash: Buffer
  seenAt: Date
}

/** Tokens in mailed links: one use, hashed, short-lived. */
export type MailLinksTable = {
  tokenHash: Buffer
  userId: string
  /** change-email: `email` becomes that of the account. */
  purpose: 'email-verification' | 'reset-password' | 'change-email'
  email: string
  /** Of the sign-up that asked for this mail: they take effect when this link is opened, and no other's do. */
  firstName: string | null
  lastName: string | null
  passwordHash: string | null
  /** Of the browser in which that form was filled. */
  browserHash: Defaulted<Buffer | null>
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
}

/** Third-party sign-ins under way, bound to the browser that started them. */
export type OauthStartsTable = {
  stateHash: Buffer
  browserHash: Buffer
  nonce: string
  codeVerifier: string
  expiresAt: Date
}

/** Counts of what is limited, by key, each until its window ends. */
export type ThrottlesTable = {
  key: string
  count: number
  windowEndsAt: Date
}
