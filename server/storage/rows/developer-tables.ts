import type { GeneratedAlways } from 'kysely'
import type { KeyKind } from '#contract/developers/api-keys.ts'
import type { KeyScope } from '#contract/developers/scopes.ts'
import type { Defaulted } from './column-types.ts'

/** A key of a program that calls the API as the person who made it. Deleted with the membership, or with the account of a holder. */
export type ApiKeysTable = {
  id: string
  workspaceId: string
  /** Who made it, and as who it acts. */
  userId: string
  kind: KeyKind
  /** Its maker signs in to one mailbox, and is no member. */
  ofHolder: Defaulted<boolean>
  /** The member whom it ends with; null: it is of a holder. */
  memberId: GeneratedAlways<string | null>
  name: string
  /** SHA-256; unique. */
  secretHash: Buffer
  /** The last characters of the key. */
  ending: string
  scopes: KeyScope[]
  /** null in both: not narrowed. */
  domainIds: string[] | null
  mailboxIds: string[] | null
  /** Empty: from anywhere. */
  ips: string[]
  createdAt: Date
  expiresAt: Date | null
  /** To the minute. */
  lastUsedAt: Date | null
  lastUsedIp: string | null
}

/** A POST that named an Idempotency-Key, for a day. Of no foreign key: a caller who has no workspace has one that is nowhere. */
export type IdempotencyKeysTable = {
  workspaceId: string
  /** An API key or a user. */
  callerId: string
  key: string
  /** SHA-256 of what was asked. */
  fingerprint: Buffer
  createdAt: Date
  /** HTTP status of the answer; null: not answered yet, or nobody knows. */
  status: number | null
  /** Encrypted, because it may hold a password; null where it was too large to keep. */
  answerSealed: string | null
}
