/** PostgreSQL at DATABASE_URL, and the pooler at DATABASE_POOL_URL in front of it (decision 132). */
import type pg from 'pg'
import { reasonOf, StartError } from '../lib/ports/bound-ports.ts'
import { withConnection } from './own-connection.ts'

/** Only from then on one column of a reference becomes empty; version 14 ended in November 2026. */
const OLDEST_POSTGRES = 150_000

type Addresses = { connection: pg.ClientConfig; pooled: pg.ClientConfig | null }

/** @throws StartError */
export const reachOutsideServer = async (
  databaseUrl: string,
  poolUrl: string | null,
): Promise<Addresses> => {
  const server = await lookAt('DATABASE_URL', databaseUrl)
  if (server.version < OLDEST_POSTGRES)
    throw new StartError(
      `DATABASE_URL is ${shown(databaseUrl)}, which is PostgreSQL ${versionText(server.version)}; Mailstead needs ${versionText(OLDEST_POSTGRES)} or newer.`,
    )
  const connection = { connectionString: databaseUrl }
  if (poolUrl === null) return { connection, pooled: null }
  const { mark } = await lookAt('DATABASE_POOL_URL', poolUrl)
  if (mark !== server.mark)
    throw new StartError(
      `DATABASE_POOL_URL is ${shown(poolUrl)}, which leads to another database than DATABASE_URL, ${shown(databaseUrl)}.`,
    )
  return { connection, pooled: { connectionString: poolUrl } }
}

/** '15.0', of 150000. */
const versionText = (version: number): string =>
  `${Math.floor(version / 10_000)}.${version % 10_000}`

/** Without the password. */
const shown = (url: string): string => url.replace(/\/\/[^@]*@/, '//').replace(/\?.*$/, '')

/** `mark`: the same for the same database of the same running server. */
const lookAt = async (setting: string, url: string): Promise<{ version: number; mark: string }> => {
  const connection = { connectionString: url, connectionTimeoutMillis: 5_000 }
  try {
    const { rows } = await withConnection(connection, 'mailstead start', (client) =>
      client.query<{ version: number; mark: string }>(
        `select current_setting('server_version_num')::integer as version,
          oid || ' ' || pg_postmaster_start_time() as mark
        from pg_database where datname = current_database()`,
      ),
    )
    const [row] = rows
    if (row === undefined) throw new Error('it does not know its database')
    return row
  } catch (error) {
    throw new StartError(`${setting} is ${shown(url)}, which cannot be reached: ${whyNot(error)}.`)
  }
}

/** A host name with several addresses fails with one error per address. */
const whyNot = (error: unknown): string =>
  error instanceof AggregateError
    ? [...new Set(error.errors.map(reasonOf))].join(', ')
    : reasonOf(error)
