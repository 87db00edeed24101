/** A connection that is not of the pool: work may take an hour, and locks end with it. */
import pg from 'pg'

/** `name`: what the database calls it. It is closed at the end. */
export const withConnection = async <T>(
  connection: pg.ClientConfig,
  name: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ ...connection, application_name: name })
  // Without a listener a lost connection would end the process; the query under way fails.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
