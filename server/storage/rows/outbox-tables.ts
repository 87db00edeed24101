import type { JSONColumnType } from 'kysely'
import type { TestMail } from '#contract/mail/test-mail.ts'
import type { Authentication } from '#contract/messages.ts'
import type { Defaulted, Json, Optional } from './column-types.ts'

/** One outgoing message; each recipient is one delivery. */
export type OutboxMessagesTable = {
  id: string
  /** null for system mail. */
  workspaceId: string | null
  mailboxId: string | null
  /** The copy in Sent; null for mail that the program wrote. */
  sentMessageId: Defaulted<string | null>
  mailFrom: string
  blob: string
  sizeBytes: number
  /** System mail that is not sent because of SYSTEM_MAIL=outbox: /dev/outbox reads subject, recipient and link from the blob. */
  isHeld: boolean
  /** false: a failure is shown elsewhere, and puts nothing into the mailbox. */
  wantsBounce: Defaulted<boolean>
  createdAt: Date
}

export type DeliveriesTable = {
  id: string
  outboxMessageId: string
  workspaceId: string | null
  recipient: string
  /** A-labels, to group deliveries by host. */
  recipientDomain: string
  status: 'queued' | 'sending' | 'delivered' | 'failed'
  attempts: Defaulted<number>
  nextAttemptAt: Date
  /** The number of the worker while sending; null otherwise. */
  claimedBy: number | null
  lastReply: Defaulted<string>
  createdAt: Date
  finishedAt: Date | null
  /** An operator holds it back: it is not tried until it is released. */
  heldAt: Optional<Date>
}

/** The ledger: one row per attempt; rows never change. */
export type DeliveryAttemptsTable = {
  id: string
  deliveryId: string
  workspaceId: string | null
  at: Date
  host: string
  ip: string
  isTls: boolean
  /** The SMTP reply code; null without a reply. */
  code: number | null
  reply: string
  outcome: 'delivered' | 'deferred' | 'failed'
}

/** The last test mail of a domain. */
export type TestMailsTable = {
  domainId: string
  workspaceId: string
  /** Sent it, and gets its answer. */
  mailboxId: string
  recipient: string
  /** Without brackets. */
  messageId: string
  outboxMessageId: string
  sentAt: Date
  /** null: no answer was seen yet. The answer itself may be deleted later. */
  answeredAt: Date | null
  /** What the checks of its sender found. */
  answerResults: Json<Authentication> | null
  answerKind: Defaulted<NonNullable<TestMail['answer']>['kind'] | null>
}

/** DKIM keys of MAIL_HOST, for system mail. */
export type SystemKeysTable = {
  domain: string
  selector: string
  privateKeySealed: string
  publicKey: string
  createdAt: Date
}

/** The last fetched MTA-STS policy of a domain; null columns: none was ever fetched. */
export type StsPoliciesTable = {
  /** A-labels, lower case. */
  domain: string
  policyId: string | null
  mode: 'enforce' | 'testing' | 'none' | null
  mx: JSONColumnType<string[], string | undefined, string>
  expiresAt: Date | null
  /** The id and time of the last attempt to fetch a policy. */
  triedId: string
  triedAt: Date
}
