/**
 * The receiving end of NOTIFY: one connection of its own per process, opened at the first
 * subscription and opened again whenever it breaks.
 */
import pg from 'pg'

/** `null`: the connection was away, so notifications may have been missed. */
export type OnNotification = (payload: string | null) => void

export type Listener = {
  /** Resolves when PostgreSQL is listening, or is away and tried again later; the answer ends the subscription. */
  subscribe(channel: string, onNotification: OnNotification): Promise<() => void>
  close(): Promise<void>
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

export const openListener = (
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
): Listener => {
  const subscribers = new Map<string, Set<OnNotification>>()
  let client: Promise<pg.Client> | null = null
  let retry: NodeJS.Timeout | null = null
  let waitMs = FIRST_WAIT_MS
  let isClosed = false

  const connect = async (): Promise<pg.Client> => {
    const opened = new pg.Client({
      ...connection,
      application_name: 'mailstead listener',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    opened.on('notification', ({ channel, payload }) => {
      for (const tell of subscribers.get(channel) ?? []) tell(payload ?? '')
    })
    opened.on('error', onError)
    try {
      await opened.connect()
      for (const channel of subscribers.keys())
        await opened.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await opened.end().catch(onError)
      throw error
    }
    opened.on('end', reconnectLater)
    waitMs = FIRST_WAIT_MS
    return opened
  }

  const reconnectLater = () => {
    client = null
    if (isClosed || retry !== null) return
    retry = setTimeout(() => {
      retry = null
      client = connect()
      client.then(
        () => {
          for (const all of subscribers.values()) for (const tell of all) tell(null)
        },
        (error: Error) => {
          onError(error)
          reconnectLater()
        },
      )
    }, waitMs)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }

  return {
    subscribe: async (channel, onNotification) => {
      const known = subscribers.get(channel)
      if (known) known.add(onNotification)
      else subscribers.set(channel, new Set([onNotification]))
      if (client === null && retry === null) {
        client = connect()
        await client.catch((error: Error) => {
          onError(error)
          reconnectLater()
        })
      } else if (!known && client !== null)
        await (await client).query(`listen ${pg.escapeIdentifier(channel)}`)
      return () => {
        subscribers.get(channel)?.delete(onNotification)
      }
    },
    close: async () => {
      isClosed = true
      if (retry !== null) clearTimeout(retry)
      subscribers.clear()
      if (client !== null) await client.then((open) => open.end()).catch(onError)
    },
  }
}
