/** Defaults of every query: fresh for 10 s, read again on focus, retried at most 3 times and never on 401 and 403. */
import {
  focusManager,
  type InvalidateQueryFilters,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query'
import type { Subject } from '#contract/subjects.ts'
import { toastError } from '../toast-store.ts'
import { ApiError } from './api-error.ts'
import { onSessionChange, readSession } from './session.ts'

const MAX_RETRIES = 3

const REFUSED = [401, 403]

const statusOf = (error: unknown): number => (error instanceof ApiError ? error.statusCode : 0)

/** Logs each failure in one line, and says whether to try again: what was refused is refused again. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const status = statusOf(error)
  const type = error instanceof ApiError ? error.type : String(error)
  // biome-ignore lint/suspicious/noConsole: the one line that operators look for when a page stays empty
  console.warn(`query failed (${failures + 1}): ${status} ${type}`)
  return !REFUSED.includes(status) && failures < MAX_RETRIES
}

/** A server in trouble, or asked too often, is given time. What does not exist hardly ever comes: nobody waits long for it. */
export function retryDelay(failures: number, error: unknown): number {
  const status = statusOf(error)
  const isMissing = status >= 400 && status < 500 && status !== 429
  return (isMissing ? 100 : 1000) * 2 ** failures
}

// At once, not in a timer: until the button knows that its call is under way, the second click of a double click would
// make another.
notifyManager.setScheduler(queueMicrotask)

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Those of its endpoint: a change of one of these makes it out of date. */
      reads?: readonly Subject[] | undefined
      /** Read before it is shown. */
      isAhead?: boolean
    }
  }
}

/** A query that is read before it is shown: once, and without a word when it fails. */
export const ahead = <Q extends { meta?: { reads?: readonly Subject[] | undefined } }>(
  query: Q,
) => ({ ...query, meta: { ...query.meta, isAhead: true }, retry: false })

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.isAhead && query.getObserversCount() === 0) return
      if (!(error instanceof ApiError) || ![403, 500].includes(error.statusCode)) return
      toastError(error.message)
    },
  }),
  defaultOptions: {
    // Without a network a call fails at once and is told, instead of waiting for ever for one to come back.
    queries: {
      ...{ staleTime: 10_000, refetchOnWindowFocus: true, retry: shouldRetry, retryDelay },
      ...{ networkMode: 'always', refetchOnReconnect: true },
    },
    mutations: { networkMode: 'always' },
  },
})

// A window that comes back from beside others was never hidden, which is all that the library listens to.
if (typeof window !== 'undefined') window.addEventListener('focus', () => focusManager.onFocus())

const userIn = () => {
  const session = readSession()
  return session.status === 'signed-in' ? session.user._id : null
}

// What one user read must never be shown to the next one in the same tab.
let owner = userIn()
onSessionChange(() => {
  if (userIn() === owner) return
  owner = userIn()
  queryClient.clear()
})

/**
 * Reads queries again that may show what has changed. The library asks nothing while a first answer is on its way, and takes
 * it for new when it comes; it may have been given before the change, so it is asked for once more then
 * (decision 030).
 */
export async function askAgain(client: QueryClient, filters?: InvalidateQueryFilters) {
  const first = new Set(client.getQueryCache().findAll(filters).filter(isOnItsWay))
  await Promise.all([
    client.invalidateQueries(filters),
    Promise.allSettled([...first].map(({ promise }) => promise)),
  ])
  if (first.size === 0) return
  await client.invalidateQueries({ ...filters, predicate: (query) => first.has(query) })
}

const isOnItsWay = ({ state }: Query): boolean =>
  state.data === undefined && state.fetchStatus !== 'idle'
