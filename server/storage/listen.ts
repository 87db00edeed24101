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
const LONGEST_WAIT_MS = 1_000

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
    })
    opened.on('notification', ({ channel, payload }) => {
      tellAll(subscribers.get(channel), payload ?? '', onError)
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

  /** When it fails the connection is opened again, and listens to all that is subscribed by then. */
  const listenTo = async (opening: Promise<pg.Client>, channel: string) => {
    const open = await opening.catch(() => null)
    try {
      await open?.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      onError(error as Error)
      void open?.end()
    }
  }

  const reconnectLater = () => {
    client = null
    if (isClosed || retry !== null) return
    retry = setTimeout(() => {
      retry = null
      client = connect()
      client.then(
        () => {
          for (const all of subscribers.values()) tellAll(all, null, onError)
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
      } else if (!known && client !== null) await listenTo(client, channel)
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

/** What one of them throws would reach pg, in the middle of what it reads. */
const tellAll = (
  all: Set<OnNotification> | undefined,
  payload: string | null,
  onError: (error: Error) => void,
): void => {
  for (const tell of all ?? [])
    try {
      tell(payload)
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
    }
}
