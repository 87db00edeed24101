import type { App } from '#server/app.ts'
import { storeRefusals } from '#server/features/operating/alerts/count-refusals.ts'
import { storeMailLog } from '#server/features/operating/mail-log/store-mail-log.ts'
import { type Loop, startLoop, type Work } from './loop.ts'

/** Of each process that takes or sends mail. */
export const mailLogWork: Work = {
  look: storeMailLog,
  trouble: 'what the log said of mails waits to be stored',
}

/** Of each process where mail comes in, with the role `worker` or without. */
export const startMailLoops = (app: App): Loop[] => [
  startLoop(app, { look: storeRefusals, trouble: 'refusals wait to be counted' }),
  startLoop(app, mailLogWork),
]
