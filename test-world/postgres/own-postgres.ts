/** A process that owns an embedded PostgreSQL until it is stopped or killed. Speaks IPC. */
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'

const [, , dataDir = '', umask = '022'] = process.argv
process.umask(Number.parseInt(umask, 8))
try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
  })
  process.send?.({ connection: postgres.connection })
  process.once('message', async () => {
    await postgres.stop()
    process.exit(0)
  })
} catch (error) {
  process.send?.({ refused: error instanceof Error ? error.message : String(error) })
  process.disconnect?.()
}
