/** Rows of operators, who run the installation for others. */
import type { Json } from './column-types.ts'

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
