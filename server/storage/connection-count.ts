/** How many connections to PostgreSQL the processes of an installation may open, and how many it takes (decision 132). */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { JOB_CONNECTIONS, JOBS_AT_ONCE } from '../lib/turns/job-places.ts'
import type { Db } from './database.ts'

/** The listener, the watch, and one with which the watch looks again. */
const SESSIONS = 3
/** The jobs, the claims of deliveries; a backup has its lock and its snapshot. */
const WORKER_SESSIONS = JOB_CONNECTIONS + 1 + 2 * JOBS_AT_ONCE

/** Those of a process at most, without what goes through a pooler. */
export const mostConnections = ({
  roles,
  databaseConnections,
  databasePoolUrl,
}: Pick<Config, 'roles' | 'databaseConnections' | 'databasePoolUrl'>): number =>
  (databasePoolUrl === null ? databaseConnections : 0) +
  SESSIONS +
  (roles.includes('worker') ? WORKER_SESSIONS : 0)

const WATCH = 'mailstead watch'

/** As PostgreSQL names the connection that each process has as long as it runs: nothing is left of one that died. */
export const watchName = (most: number): string => `${WATCH} ${most}`

export type ConnectionCount = {
  processes: number
  /** All of them together. */
  mayOpen: number
  /** What PostgreSQL keeps for superusers is not counted. */
  takes: number
}

export const countConnections = async (db: Db): Promise<ConnectionCount> => {
  const { rows } = await sql<ConnectionCount>`
    select count(*) as processes,
      coalesce(sum(substring(application_name from '\\d+$')::integer), 0) as may_open,
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true), '0')::integer as takes
    from pg_stat_activity
    where datname = current_database() and application_name ~ ${`^${WATCH} \\d+$`}`.execute(db)
  return rows[0] ?? { processes: 0, mayOpen: 0, takes: 0 }
}

/** null: PostgreSQL takes as many as the processes may open. */
export const connectionTrouble = ({ mayOpen, takes }: ConnectionCount): string | null =>
  mayOpen <= takes
    ? null
    : `The processes of this installation may open ${mayOpen} connections to PostgreSQL, which takes ${takes}: under load some are refused.`

export const CONNECTIONS_MENDING =
  'Raise max_connections of PostgreSQL, or lower DATABASE_CONNECTIONS.'
