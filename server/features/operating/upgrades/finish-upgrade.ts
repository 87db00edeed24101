/** The end of an upgrade: what no program of the release before could work with is done, and the way back to it ends (decision 141). */
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '#server/app.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { type Database, openDatabase } from '#server/storage/database.ts'
import { finishSchema, waitingIn } from '#server/storage/migrate.ts'
import { recordInFirst } from '#server/storage/migrations/records.ts'
import { schema } from '#server/storage/open-storage.ts'
import { countOtherPrograms } from './programs-store.ts'

/** A program that looked before it was refused listens by then. */
const SETTLED_MS = 10_000
const LOOK_MS = 500

/**
 * While programs of this release work. `settledMs`: for tests. @returns the migrations that it did
 * @throws StartError while a program of another release runs
 */
export const finishUpgrade = async (
  { connection }: Pick<App, 'connection'>,
  say: (line: string) => void,
  settledMs = SETTLED_MS,
): Promise<string[]> => {
  // A pooler has no sessions. One for the migration, and one that builds indexes.
  const db = openDatabase({ connection, maxConnections: 2 }, () => {})
  try {
    const waiting = await waitingIn(db, schema)
    if (waiting.length === 0) return []
    await refuseOtherPrograms(db)
    await recordInFirst(db)
    // The release before starts no more. One may have looked just before.
    for (let waited = 0; waited <= settledMs; waited += LOOK_MS) {
      await wait(LOOK_MS)
      await refuseOtherPrograms(db, ' It does not start again: the way back has ended.')
    }
    await finishSchema(db, schema, say)
    return waiting
  } finally {
    await db.destroy()
  }
}

const refuseOtherPrograms = async (db: Database, besides = ''): Promise<void> => {
  if ((await countOtherPrograms(db)) > 0)
    throw new StartError(
      `A program of another version still runs. Please upgrade all processes first.${besides}`,
    )
}
