/** What must be written in the end: without a database it waits for it. */
import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseAway } from '#server/storage/database-away.ts'

const AGAIN_MS = 500

/** The process stops before it could be written. */
export class Unwritten extends Error {}

export type Persist = <T>(write: () => Promise<T>) => Promise<T>

/** @throws Unwritten, and what is not about reaching the database */
export const persistUntil =
  (closing: AbortSignal): Persist =>
  async (write) => {
    while (true) {
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        if (closing.aborted) throw new Unwritten('the database is away', { cause: error })
      }
      await wait(AGAIN_MS, null, { signal: closing }).catch(() => {})
    }
  }
