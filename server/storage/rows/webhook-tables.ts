import type { OffReason } from '#contract/developers/webhooks.ts'
import type { Defaulted, Json, Optional } from './column-types.ts'

/** An address that events of a workspace are posted to (decision 122). */
export type WebhooksTable = {
  id: string
  workspaceId: string
  /** Who made it or switched it on last; null: the account has gone. */
  createdBy: string | null
  createdAt: Date
  url: string
  topics: string[]
  /** Encrypted, bound to the id. */
  secretSealed: string
  /** Signs too until then. */
  formerSecretSealed: Optional<string>
  formerUntil: Optional<Date>
  /** null: it is on. */
  offReason: Optional<OffReason>
  offAt: Optional<Date>
  /** Attempts since the last success. */
  failures: Defaulted<number>
  failingSince: Optional<Date>
  /** After many failures nothing is tried until then. */
  pausedUntil: Optional<Date>
  /** Its last answer took long. */
  isSlow: Defaulted<boolean>
  /** It was switched off, and the Admins wait to be told. */
  isUntold: Defaulted<boolean>
}

/** An event for one webhook; written in the transaction of what it tells. */
export type WebhookEventsTable = {
  /** Order within a lane. */
  seq: Defaulted<number>
  /** The webhook-id. */
  id: Defaulted<string>
  webhookId: string
  workspaceId: string
  topic: string
  /** The lane: events about the same mailbox, domain, invoice or member arrive one after the other. */
  about: string
  data: Json<object>
  createdAt: Date
  state: Defaulted<'waiting' | 'delivered' | 'failed'>
  attempts: Defaulted<number>
}

/** Where a webhook has events that wait, by what they are about. */
export type WebhookLanesTable = {
  webhookId: string
  about: string
  workspaceId: string
  /** When its first event is tried; while it is claimed, when the claim ends. */
  dueAt: Date
  /** Of the worker that tries it now. */
  claim: Optional<string>
}

export type WebhookAttemptsTable = {
  id: string
  webhookId: string
  workspaceId: string
  eventId: string
  at: Date
  durationMs: number
  /** null: no answer. */
  status: number | null
  /** Why it counts as failed; '' when it arrived. */
  reason: string
  /** The first kilobyte. */
  answer: string
}
