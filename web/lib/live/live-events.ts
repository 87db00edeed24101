/** Listens to what changed on the server, and reads the lists that show it again. */

import type { Query, QueryClient } from '@tanstack/react-query'
import { type Changed, changed } from '#contract/events.ts'
import { isAbout } from '#contract/subjects.ts'
import { open } from '../api/api.ts'
import { askAgain, queryClient } from '../api/query-client.ts'
import { readSession } from '../api/session.ts'
import { readEvents } from './event-stream.ts'

/** The server sends a heartbeat every 25 s. */
const SILENCE_MS = 60_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

/** Longer is no own call waited for: somebody else's news is not held back by an upload. */
const HOLD_MS = 1000

/** When each query was last asked for: what was asked for after a change is told needs no second question. */
export type LastReads = {
  /** Whether it was asked for, or filled with the answer to a call, after this moment of `performance.now()`. */
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

/** Runs `then` once no call of this tab is under way, whose answer is followed by questions of its own; at once if none is. */
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
  afterOwnCalls(
    queryClient,
    () =>
      void askAgain(queryClient, {
        predicate: (query) => isOutOfDate(query, event.data) && !lastReads.isAfter(query, heardAt),
      }),
  )
}

/**
 * Which queries an event is about.
 * An event of one mailbox is about the queries of this mailbox, and about those of no mailbox.
 */
export function isOutOfDate({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>, event: Changed) {
  if (!isAbout(meta?.reads ?? [], event.topic)) return false
  const args = queryKey[1] as { params?: { id?: string } } | undefined
  return !event.mailboxId || !args?.params?.id || args.params.id === event.mailboxId
}

/** The last change that what is shown has heard of, as long as nobody has listened since. */
let lastId: string | null = null

export function listenFrom(id: string): void {
  lastId = id
}

/**
 * Listens until told to stop, and only while the page is seen: a browser opens few connections to
 * one host, and a dozen forgotten tabs would leave none for the page that is read.
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

/** After each break it waits longer, and then reads everything again: what changed meanwhile is not told again. */
async function listen(signal: AbortSignal, hasMissed: boolean): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      const response = await open('/events', {
        signal,
        headers: lastId === null ? {} : { 'last-event-id': lastId },
      })
      lastId = null
      if (hasMissed || failures > 0) void askAgain(queryClient)
      failures = 0
      if (response.body) await readEvents(response.body, readAgain, SILENCE_MS)
    } catch {
      if (signal.aborted || readSession().status !== 'signed-in') return
    }
    failures += 1
    await pause(Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS), signal)
  }
}

/** Waits, shifted at random so that many browsers do not come back at once; ends early when told to stop. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms * (0.5 + Math.random()))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
