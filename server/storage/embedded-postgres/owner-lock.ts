/** One Mailstead per DATA_DIR: an advisory lock on a connection that lives as long as its owner. */
import type pg from 'pg'
import { StartError } from '../../lib/ports/bound-ports.ts'

/** Any number, the same in all versions. */
const LOCK = 20_260_001
const PREFIX = 'mailstead owner '
const TIMEOUT_MS = 5_000

/** The application_name of the connection that asks for the lock: others see by it whether its owner is alive. */
export const ownerName = `${PREFIX}${process.pid}`

/** After a kill -9 PostgreSQL notices a moment later that the old owner's connection is closed. */
export const takeLock = async (client: pg.Client, dataDir: string): Promise<void> => {
  const deadline = Date.now() + TIMEOUT_MS
  while (true) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as got', [LOCK])
    if (rows[0]?.got) return
    if ((await isHolderAlive(client)) || Date.now() > deadline)
      throw new StartError(alreadyRunning(dataDir))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const isHolderAlive = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = $1 and granted`,
    [LOCK],
  )
  // Gone just now.
  if (!rows[0]) return false
  try {
    return process.kill(Number(rows[0].name.slice(PREFIX.length)), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const alreadyRunning = (dataDir: string): string =>
  `Mailstead is already running on this DATA_DIR (${dataDir}). Please stop it first, or choose another DATA_DIR.`
