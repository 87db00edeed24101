/** The shape of what may be wrong with an installation. */
import type { App } from '#server/app.ts'

/** It cannot be seen now: neither begins an alert nor ends one. */
export const UNSEEN: unique symbol = Symbol('unseen')

/** A sentence that says what is wrong, without names of customers; null: nothing. */
export type Seen = string | null | typeof UNSEEN

export type Condition = {
  /** As `docs/operating/alerts.md` lists it. */
  name: string
  /** An alert begins when the trouble has lasted so long. */
  afterMinutes: number
  /** What the operator can do about it. */
  mend: string
  look: (app: App) => Promise<Seen>
}
