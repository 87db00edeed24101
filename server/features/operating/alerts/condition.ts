/** The shape of what may be wrong with an installation. */
import type { App } from '#server/app.ts'

export type Condition = {
  /** As `docs/operating/alerts.md` lists it. */
  name: string
  /** An alert begins when the trouble has lasted so long. */
  afterMinutes: number
  /** What the operator can do about it. */
  mend: string
  /** A sentence that says what is wrong, without names of customers; null: nothing. `unknown`: it cannot be seen now. */
  look: (app: App) => Promise<string | null | 'unknown'>
}
