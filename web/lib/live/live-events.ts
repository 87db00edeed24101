/** Listens for changes on the server and reloads the queries that show them. */

import type { Query, QueryClient } from '@tanstack/react-query'
import { createParser } from 'eventsource-parser'
import { type Changed, changed } from '#contract/events.ts'
import { isAbout } from '#contract/subjects.ts'
import { open } from '../api/api.ts'
import { invalidateWithPending, queryClient } from '../api/query-client.ts'
import { readSession } from '../api/session.ts'
import { createBackoff } from '../time/backoff.ts'
import { whenNewsGoOn } from './hold-news.ts'
import { takeNews } from './take-news.ts'

/** The server sends a heartbeat every 25 s. */
const SILENCE_MS = 60_000

/** Longest wait for calls of this tab: a long upload must not delay news of other users. */
const HOLD_MS = 1000

/** When each query was last requested: a query requested after an event arrived need not be reloaded for it. */
export type LastReads = {
  /** Whether the query was requested, or updated with the answer of a call, after this time of `performance.now()`. */
  isAfter(query: Query, moment: number): boolean
}

export function watchReads(client: QueryClient): LastReads {
  const begun = new WeakMap<object, number>()
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action, query } = event
    const isAnswer = action.type === 'success' && action.manual
    if (action.type === 'fetch' || isAnswer) begun.set(query, performance.now())
  })
  return { isAfter: (query, moment) => (begun.get(query) ?? Number.NEGATIVE_INFINITY) > moment }
}

/** Runs `then` when no call of this tab is running, because each call reloads queries itself; at once when none is. */
export function afterOwnCalls(client: QueryClient, then: () => void): void {
  if (client.isMutating() === 0) {
    then()
    return
  }
  const go = () => {
    clearTimeout(timer)
    stop()
    then()
  }
  const timer = setTimeout(go, HOLD_MS)
  const stop = client.getMutationCache().subscribe(() => {
    if (client.isMutating() === 0) go()
  })
}

const lastReads = watchReads(queryClient)

function readAgain(data: string): void {
  const event = changed.safeParse(JSON.parse(data))
  if (!event.success) return
  const heardAt = performance.now()
  const reload = () => {
    const isTaken = takeNews(event.data)
    void invalidateWithPending(queryClient, {
      predicate: (query) =>
        isOutOfDate(query, event.data) && !lastReads.isAfter(query, heardAt) && !isTaken(query),
    })
  }
  whenNewsGoOn(event.data.topic, () => afterOwnCalls(queryClient, reload))
}

function readAllAgain(): void {
  const isTaken = takeNews(null)
  void invalidateWithPending(queryClient, { predicate: (query) => !isTaken(query) })
}

/**
 * Whether a query shows what an event is about.
 * An event of one mailbox concerns the queries of this mailbox and those without a mailbox.
 */
export function isOutOfDate({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>, event: Changed) {
  if (!isAbout(meta?.reads ?? [], event.topic)) return false
  const [path, args] = queryKey as [string, { params?: { id?: string } } | undefined]
  const id = path.startsWith('/mailboxes/{id}') ? args?.params?.id : undefined
  return !event.mailboxId || !id || id === event.mailboxId
}

/** Id of the last event that the shown data includes, until a connection uses it. */
let lastId: string | null = null

export function listenFrom(id: string): void {
  lastId = id
}

/**
 * Listens until stopped, and only while the page is visible: a browser opens few connections to one host, and a dozen forgotten
 * tabs would leave none for the visible page.
 */
export function followLiveEvents(): () => void {
  let stop: AbortController | null = null
  let hasMissed = false
  const follow = () => {
    stop?.abort()
    stop = null
    if (document.visibilityState === 'hidden') {
      hasMissed = true
      return
    }
    stop = new AbortController()
    void listen(stop.signal, hasMissed)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop?.abort()
  }
}

/** After each lost connection it waits longer, then reloads everything: missed events are not sent again. */
async function listen(signal: AbortSignal, hasMissed: boolean): Promise<void> {
  const backoff = createBackoff({ firstMs: 1_000, longestMs: 60_000 })
  let isBack = hasMissed
  while (!signal.aborted) {
    try {
      const response = await open('/events', {
        signal,
        headers: lastId === null ? {} : { 'last-event-id': lastId },
      })
      lastId = null
      if (isBack) readAllAgain()
      backoff.reset()
      if (response.body) await readEvents(response.body, readAgain, SILENCE_MS)
    } catch {
      if (signal.aborted || readSession().status !== 'signed-in') return
    }
    isBack = true
    await backoff.wait(signal)
  }
}

/**
 * Reads server-sent events from a fetch body: EventSource cannot set the Authorization header, which alone authenticates.
 * Calls `onData` for each event until the stream ends, or until nothing, not even a heartbeat, came for `silenceMs`.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onData: (data: string) => void,
  silenceMs: number,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data }) => data !== '' && onData(data) })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    while (true) {
      timer = setTimeout(() => void reader.cancel().catch(() => undefined), silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(timer)
  }
}
