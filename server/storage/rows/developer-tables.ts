import type { KeyKind } from '#contract/developers/api-keys.ts'
import type { KeyScope } from '#contract/developers/scopes.ts'

/** A key of a program that calls the API as the member who made it. Deleted with the membership. */
export type ApiKeysTable = {
  id: string
  workspaceId: string
  /** Who made it, and as who it acts. */
  userId: string
  kind: KeyKind
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
