import type { Preferences } from '#contract/profile.ts'
import type { Defaulted, Optional } from './column-types.ts'

export type UsersTable = {
  id: string
  /** Lower case. */
  email: string
  firstName: string
  lastName: string
  avatar: string | null
  /** argon2id; null for a user who signs in only through a third party. */
  passwordHash: string | null
  verifiedAt: Date | null
  currentWorkspaceId: string | null
  lastLoginAt: Date | null
  createdAt: Date
  /** The mailbox of its holder, with the address `email`; null for an account. */
  mailboxId: Defaulted<string | null>
  /** Where the link was mailed to that a holder last set the password with; null when it was not mailed. */
  privateEmail: Defaulted<string | null>
  /** The mailbox of a holder was suspended or resumed, and no mail told them yet. */
  isStatusUntold: Defaulted<boolean>
  /** Whether the last such mail told that it is suspended. */
  isToldSuspended: Defaulted<boolean>
  /** App passwords made before are over: the password was set anew by a link. */
  appPasswordsFrom: Defaulted<Date | null>
  /** Its owner leaves: when the account ends; null: it stays. */
  endsAt: Defaulted<Date | null>
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
  /** Times at which the previous generations were used, newest first. */
  spentAt: Defaulted<Date[]>
  createdAt: Date
  expiresAt: Date
  endedAt: Date | null
  ip: string
  userAgent: string
  /** To the minute; null: not since it began. */
  lastUsedAt: Optional<Date>
  /** Of the last use. */
  lastIp: Optional<string>
  /** When its person last proved who they are; null: a trusted browser signed in by the password alone. */
  confirmedAt: Optional<Date>
}

/** Browsers in which this user has logged in before. */
export type KnownDevicesTable = {
  userId: string
  deviceHash: Buffer
  seenAt: Date
}

/** What a person chose; '' where they did not. No row: nothing yet. */
export type PreferencesTable = {
  userId: string
  timeZone: string
  timeFormat: Preferences['timeFormat']
  dateFormat: Preferences['dateFormat']
  wantsDnsMails: boolean
  undoSeconds: Preferences['undoSeconds']
  writesPlainText: boolean
  updatedAt: Date
}

/** Tokens in mailed links: one use, hashed, short-lived. */
export type MailLinksTable = {
  tokenHash: Buffer
  userId: string
  /** change-email: `email` becomes the address of the account. */
  purpose: 'email-verification' | 'reset-password' | 'change-email'
  email: string
  /** The form of this sign-up: it takes effect only through this link. */
  firstName: string | null
  lastName: string | null
  passwordHash: string | null
  /** The browser in which the form was filled in. */
  browserHash: Defaulted<Buffer | null>
  /** change-email: of the session that asked; it may be gone. */
  sessionId: Optional<string>
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
}

/** Unfinished third-party sign-ins, bound to the browser that started them. */
export type OauthStartsTable = {
  stateHash: Buffer
  browserHash: Buffer
  nonce: string
  codeVerifier: string
  expiresAt: Date
}

/** Rate limit counters by key, each until its window ends. */
export type ThrottlesTable = {
  key: string
  count: number
  windowEndsAt: Date
}
