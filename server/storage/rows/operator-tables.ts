/** Rows of operators, who run the installation for others. */
import type { MailOutcome } from '#contract/operator/mail-log.ts'
import type { Defaulted, Json } from './column-types.ts'

/** Beside the addresses in OPERATORS. */
export type OperatorsTable = {
  userId: string
  /** An e-mail address, or 'terminal'. */
  madeBy: string
  madeAt: Date
}

/** Printed at the first start: it makes the account of an operator, once. */
export type OperatorLinksTable = {
  tokenHash: Buffer
  expiresAt: Date
}

/** What operators did. Rows never change. */
export type OperatorActionsTable = {
  id: string
  at: Date
  /** An e-mail address, or 'terminal'. */
  operator: string
  verb: string
  /** The workspace that it concerns, also when that has gone; null: none. */
  workspaceId: string | null
  /** What was changed: a name, an address or a number. */
  subject: string
  /** The reason that the operator gave, or the new value; '' without one. */
  detail: string
}

/** Of an act that somebody has to be told: kept, and mailed by a worker, since the terminal writes no mail. */
export type OperatorReceiptsTable = {
  /** That of the act. */
  id: string
  at: Date
  subject: string
  /** Paragraphs. */
  lines: string[]
  recipients: string[]
  isMailed: Defaulted<boolean>
}

/** Backups that were made, or tried. */
export type BackupsTable = {
  id: string
  /** Where it went, without a password. */
  place: string
  startedAt: Date
  /** null: it was not finished, or is under way. */
  endedAt: Date | null
  /** Its name in the place; null: it failed. */
  snapshot: string | null
  rows: number
  blobs: number
  /** Blobs that were lost before. */
  missing: number
  writtenBytes: number
  /** Why it failed; '' else. */
  error: string
}

/** What is wrong with the installation now, and what its operators were told of it. */
export type AlertsTable = {
  name: string
  since: Date
  heldAt: Date
  sentence: string
  begunAt: Date | null
  endedAt: Date | null
  tellings: Json<Tellings>
}

/** When alerts began and ended. */
export type AlertNewsTable = {
  id: string
  name: string
  news: 'begun' | 'ended'
  at: Date
  sentence: string
}

/** By channel: what it was told, and when it is tried again. Times in ISO 8601. */
type Tellings = Partial<Record<'url' | 'relay', Telling>>
type Telling = {
  told: 'begun' | 'ended' | null
  toldAt: string | null
  failures: number
  nextTryAt: string
}

/** Refusals to other servers in the five minutes from `slot` on, by reason. */
export type RefusedMailsTable = {
  slot: Date
  why: string
  refusals: number
}

/** What the log said of a mail; ids are in the order of time. */
export type MailLogTable = {
  id: string
  at: Date
  outcome: MailOutcome
  mailFrom: string
  recipient: string
  peer: string
  reply: string
  times: number
}

/** What operators tell the people who are signed in. Ended ones are deleted. */
export type AnnouncementsTable = {
  id: string
  text: string
  /** https; '' without one. */
  link: string
  audience: 'everybody' | 'admins'
  /** null: until an operator ends it. */
  endsAt: Date | null
  /** An e-mail address, or 'terminal'. */
  madeBy: string
  madeAt: Date
}

/** Who has read one and does not want to see it any more. */
export type AnnouncementDismissalsTable = {
  announcementId: string
  userId: string
}

/** Senders and networks that operators block or allow (decision 109). */
export type ListedSendersTable = {
  id: string
  kind: 'network' | 'address' | 'domain'
  /** As `readListed` writes it. */
  value: string
  action: 'block' | 'allow'
  note: string
  /** null: it stays. */
  endsAt: Date | null
  /** An e-mail address, or 'terminal'. */
  madeBy: string
  madeAt: Date
}
