/** The end of an upgrade: what no program of the release before could work with is done, and the way back to it ends (decision 141). */
import type { App } from '#server/app.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { type Database, openDatabase } from '#server/storage/database.ts'
import { finishSchema, waitingIn } from '#server/storage/migrate.ts'
import { recordInFirst } from '#server/storage/migrations/records.ts'
import { schema } from '#server/storage/open-storage.ts'
import { countOtherPrograms } from './programs-store.ts'

/**
 * While programs of this release work. @returns the migrations that it did
 * @throws StartError while a program of another release runs
 */
export const finishUpgrade = async (
  { connection }: Pick<App, 'connection'>,
  say: (line: string) => void,
): Promise<string[]> => {
  // A pooler has no sessions. One for the migration, and one that builds indexes.
  const db = openDatabase({ connection, maxConnections: 2 }, () => {})
  try {
    const waiting = await waitingIn(db, schema)
    if (waiting.length === 0) return []
    await refuseOtherPrograms(db)
    await recordInFirst(db)
    // One may have started before that was recorded; none does so afterwards.
    await refuseOtherPrograms(db)
    await finishSchema(db, schema, say)
    return waiting
  } finally {
    await db.destroy()
  }
}

const refuseOtherPrograms = async (db: Database): Promise<void> => {
  if ((await countOtherPrograms(db)) > 0)
    throw new StartError(
      'A program of another version still runs. Please upgrade all processes first.',
    )
}
