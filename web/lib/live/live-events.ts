/** Listens to what changed on the server, and reads the lists that show it again. */
import { changed } from '#contract/events.ts'
import { open } from '../api/api.ts'
import { askAgain } from '../api/ask-again.ts'
import { queryClient } from '../api/query-client.ts'
import { readSession } from '../api/session.ts'
import { readEvents } from './event-stream.ts'
import { afterOwnCalls, watchReads } from './last-reads.ts'
import { isOutOfDate } from './live-topics.ts'

/** The server sends a heartbeat every 25 s. */
const SILENCE_MS = 60_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

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
