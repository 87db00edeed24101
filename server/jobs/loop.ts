/** Looks for work again and again, never twice at once, when somebody may be waiting: a schedule knows minutes only. */
import type { App } from '#server/app.ts'

/** How long a stop waits for work under way; whoever does it asks now and then whether it should end. */
const CLOSE_MS = 5_000

export type Loop = { close(): Promise<void> }

type Work = {
  everyMs: number
  look: (app: App, isClosing: () => boolean) => Promise<unknown>
  /** Logged when it fails, until it works again: without a database it would be said every few seconds. */
  trouble: string
}

export const startLoop = (app: App, { everyMs, look, trouble }: Work): Loop => {
  let isClosed = false
  let looking: Promise<void> | null = null
  let isInTrouble = false

  const lookAgain = () => {
    looking ??= look(app, () => isClosed)
      .then(
        () => {
          isInTrouble = false
        },
        (error: unknown) => {
          if (!isInTrouble) app.log.warn({ err: error }, trouble)
          isInTrouble = true
        },
      )
      .finally(() => {
        looking = null
      })
  }

  const timer = setInterval(lookAgain, everyMs)
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
