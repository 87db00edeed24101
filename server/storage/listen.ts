/** Receives NOTIFY: one separate connection per process, opened at the first subscription and reopened whenever it breaks. */
import pg from 'pg'
import { backoff } from '../lib/wait.ts'
import { schema } from './open-storage.ts'

/** `null`: the connection was lost, so notifications may have been missed. */
export type OnNotification = (payload: string | null) => void

export type Listener = {
  /** Resolves when PostgreSQL is listening, or is away and will be retried. Returns a function that ends the subscription. */
  subscribe(channel: string, onNotification: OnNotification): Promise<() => void>
  close(): Promise<void>
}

/** Of programs of one release: `upgrade finish` waits until none has another name. */
export const LISTENER = `mailstead listener after ${schema.lastRelease.slice(0, 4)}`

const AGAIN_MS = { first: 100, longest: 1_000 }

export const openListener = (
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
): Listener => {
  const subscribers = newSubscribers(onError)
  let client: Promise<pg.Client> | null = null
  let retry: NodeJS.Timeout | null = null
  let failures = 0
  let isClosed = false

  const connect = async (): Promise<pg.Client> => {
    const opened = await listening(connection, subscribers, onError)
    opened.on('end', reconnectLater)
    failures = 0
    return opened
  }

  const reconnectLater = () => {
    client = null
    if (isClosed || retry !== null) return
    const again = () => {
      retry = null
      client = connect()
      client.then(subscribers.tellOfGap, (error: Error) => {
        onError(error)
        reconnectLater()
      })
    }
    retry = setTimeout(again, backoff(++failures, AGAIN_MS))
  }

  return {
    subscribe: async (channel, onNotification) => {
      const isNew = subscribers.add(channel, onNotification)
      if (client === null && retry === null) {
        client = connect()
        await client.catch((error: Error) => {
          onError(error)
          reconnectLater()
        })
      } else if (isNew && client !== null) await listenTo(client, channel, onError)
      return () => subscribers.remove(channel, onNotification)
    },
    close: async () => {
      isClosed = true
      if (retry !== null) clearTimeout(retry)
      subscribers.clear()
      if (client !== null) await client.then((open) => open.end()).catch(onError)
    },
  }
}

type Subscribers = ReturnType<typeof newSubscribers>

const newSubscribers = (onError: (error: Error) => void) => {
  const byChannel = new Map<string, Set<OnNotification>>()
  /** An exception of a subscriber would reach pg in the middle of its parsing. */
  const tellAll = (all: Iterable<OnNotification>, payload: string | null) => {
    for (const tell of all)
      try {
        tell(payload)
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)))
      }
  }
  return {
    channels: () => byChannel.keys(),
    /** @returns whether it is the first of its channel */
    add: (channel: string, one: OnNotification): boolean => {
      const known = byChannel.get(channel)
      if (known) known.add(one)
      else byChannel.set(channel, new Set([one]))
      return known === undefined
    },
    remove: (channel: string, one: OnNotification): void => {
      byChannel.get(channel)?.delete(one)
    },
    tell: (channel: string, payload: string) => tellAll(byChannel.get(channel) ?? [], payload),
    tellOfGap: () => {
      for (const all of byChannel.values()) tellAll(all, null)
    },
    clear: () => byChannel.clear(),
  }
}

/** A connection that listens to all that is subscribed by then. */
const listening = async (
  connection: pg.ClientConfig,
  subscribers: Subscribers,
  onError: (error: Error) => void,
): Promise<pg.Client> => {
  const opened = new pg.Client({
    ...connection,
    application_name: LISTENER,
    connectionTimeoutMillis: 5_000,
  })
  opened.on('notification', ({ channel, payload }) => subscribers.tell(channel, payload ?? ''))
  opened.on('error', onError)
  try {
    await opened.connect()
    for (const channel of subscribers.channels())
      await opened.query(`listen ${pg.escapeIdentifier(channel)}`)
    return opened
  } catch (error) {
    await opened.end().catch(onError)
    throw error
  }
}

/** On failure the connection is closed; the new one listens to all channels. */
const listenTo = async (
  opening: Promise<pg.Client>,
  channel: string,
  onError: (error: Error) => void,
): Promise<void> => {
  const open = await opening.catch(() => null)
  try {
    await open?.query(`listen ${pg.escapeIdentifier(channel)}`)
  } catch (error) {
    onError(error as Error)
    void open?.end()
  }
}
