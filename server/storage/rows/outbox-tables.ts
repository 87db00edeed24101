import type { JSONColumnType } from 'kysely'
import type { Defaulted } from './column-types.ts'

/** One message on its way out; each recipient is one delivery. */
export type OutboxMessagesTable = {
  id: string
  /** null for system mail. */
  workspaceId: string | null
  mailboxId: string | null
  /** The copy in Sent; null for what nobody here wrote. */
  sentMessageId: Defaulted<string | null>
  mailFrom: string
  blob: string
  sizeBytes: number
  /** System mail that SYSTEM_MAIL=outbox keeps here: its subject, recipient and link are read from the blob. */
  isHeld: boolean
  createdAt: Date
}

export type DeliveriesTable = {
  id: string
  outboxMessageId: string
  workspaceId: string | null
  recipient: string
  /** A-labels, for grouping by host. */
  recipientDomain: string
  status: 'queued' | 'sending' | 'delivered' | 'failed'
  attempts: Defaulted<number>
  nextAttemptAt: Date
  /** While sending: the number of the worker. */
  claimedBy: number | null
  lastReply: Defaulted<string>
  createdAt: Date
  finishedAt: Date | null
}

/** The ledger: one row per attempt, never changed. */
export type DeliveryAttemptsTable = {
  id: string
  deliveryId: string
  workspaceId: string | null
  at: Date
  host: string
  ip: string
  isTls: boolean
  /** SMTP code, null when there was no answer. */
  code: number | null
  reply: string
  outcome: 'delivered' | 'deferred' | 'failed'
}

/** DKIM keys of MAIL_HOST, for system mail. */
export type SystemKeysTable = {
  domain: string
  selector: string
  privateKeySealed: string
  publicKey: string
  createdAt: Date
}

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
