import type { JSONColumnType } from 'kysely'

/** The last policy that was fetched for a domain; null in it: never one. */
export type StsPoliciesTable = {
  /** A-labels, lower case. */
  domain: string
  policyId: string | null
  mode: 'enforce' | 'testing' | 'none' | null
  mx: JSONColumnType<string[], string | undefined, string>
  expiresAt: Date | null
  /** The last try to fetch one: for which id, and when. */
  triedId: string
  triedAt: Date
}
