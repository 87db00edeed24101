/** Runs a task repeatedly, never twice at once. For work that a user may wait for: a schedule has no unit below a minute. */
import type { App } from '#server/app.ts'
import { within } from '#server/lib/wait.ts'

const LOOK_MS = 2_000
/** How long closing waits for a running task; the task has to check `isClosing`. */
const CLOSE_MS = 5_000

export type Work = {
  look: (app: App, isClosing: () => boolean) => Promise<unknown>
  /** The warning, logged at the first failure until a run succeeds: without a database it would be logged every few seconds. */
  trouble: string
}

export type Loop = { close(): Promise<void> }

export const startLoop = (app: App, { look, trouble }: Work): Loop => {
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

  const timer = setInterval(lookAgain, LOOK_MS)
  return {
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await within(Date.now() + CLOSE_MS, looking, null)
    },
  }
}
