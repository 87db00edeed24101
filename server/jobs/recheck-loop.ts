/** Domains are due by the second, since somebody may wait at the page: the minutes of the schedule are too long for them. */
import type { App } from '#server/app.ts'
import { recheckDueDomains } from '#server/features/domains/recheck-due-domains.ts'

const LOOK_MS = 2_000
/** How long a stop waits for checks under way; what takes longer is looked at again later. */
const CLOSE_MS = 5_000

export const startRechecks = (app: App, lookMs = LOOK_MS): { close(): Promise<void> } => {
  let isClosed = false
  let looking: Promise<void> | null = null
  let isInTrouble = false

  const look = () => {
    looking ??= recheckDueDomains(app, () => isClosed)
      .then(
        () => {
          isInTrouble = false
        },
        (error: unknown) => {
          // Without a database it would be said every few seconds.
          if (!isInTrouble) app.log.warn({ err: error }, 'domains wait for their checks')
          isInTrouble = true
        },
      )
      .finally(() => {
        looking = null
      })
  }

  const timer = setInterval(look, lookMs)
  return {
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await Promise.race([looking, waitAtMost(CLOSE_MS)])
    },
  }
}

const waitAtMost = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms).unref()
  })
