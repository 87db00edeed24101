import { VACATION_DAYS } from '#contract/mail/vacation.ts'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { deleteAnswers } from './vacation-store.ts'

/** Long enough for the count that the settings show. */
const KEEP_SECONDS = 90 * 24 * 3600

/** Forgets who was answered long ago. Never before the sender may be answered again. */
export const purgeVacations = (app: App): Promise<void> =>
  deleteAnswers(
    app.db,
    secondsAfter(app.clock.now(), -Math.max(KEEP_SECONDS, VACATION_DAYS * 24 * 3600)),
  )
