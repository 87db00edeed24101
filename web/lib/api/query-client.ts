/** Defaults of all queries: fresh for 10 s, reloaded on focus, retried at most 3 times and never on 401 and 403. */
import {
  type DehydratedState,
  focusManager,
  hydrate,
  type InvalidateQueryFilters,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query'
import type { Subject } from '#contract/subjects.ts'
import { isOfflineSaid } from '../online.ts'
import { whenReleased } from '../pressed.ts'
import { toastError } from '../toast-store.ts'
import { ApiError } from './api-error.ts'
import { followPreferences } from './date-formats.ts'
import { onSessionChange, signedInUserId } from './session.ts'

const MAX_RETRIES = 3

const REFUSED = [401, 403]

const statusOf = (error: unknown): number => (error instanceof ApiError ? error.statusCode : 0)

/** Logs each failure in one line and decides whether to retry: a refused request would be refused again. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const status = statusOf(error)
  const type = error instanceof ApiError ? error.type : String(error)
  // biome-ignore lint/suspicious/noConsole: the one line that operators look for when a page stays empty
  console.warn(`query failed (${failures + 1}): ${status} ${type}`)
  return !REFUSED.includes(status) && failures < MAX_RETRIES
}

/** Milliseconds. A server in trouble or over its limit gets time; a 4xx is unlikely to change, so its retries come soon. */
export function retryDelay(failures: number, error: unknown): number {
  const status = statusOf(error)
  const isMissing = status >= 400 && status < 500 && status !== 429
  return (isMissing ? 100 : 1000) * 2 ** failures
}

// In a microtask, not a timer: until a button knows that its call is running, the second click of a double click would
// start another call. New answers do not move what is being pressed.
notifyManager.setScheduler((tell) => queueMicrotask(() => whenReleased(tell)))

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What the endpoint reads: a change of one of these makes the query stale. */
      reads?: readonly Subject[] | undefined
      /** true: prefetched before anything shows it. */
      isAhead?: boolean
    }
  }
}

/** A prefetched query: one attempt, and no toast when it fails. */
export const ahead = <Q extends { meta?: { reads?: readonly Subject[] | undefined } }>(
  query: Q,
) => ({ ...query, meta: { ...query.meta, isAhead: true }, retry: false })

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.isAhead && query.getObserversCount() === 0) return
      // The page says so already.
      if (isOfflineSaid()) return
      if (!(error instanceof ApiError) || ![403, 500].includes(error.statusCode)) return
      toastError(error.message)
    },
  }),
  defaultOptions: {
    // Without a network a call fails at once with an error, instead of waiting for the network.
    queries: {
      ...{ staleTime: 10_000, refetchOnWindowFocus: true, retry: shouldRetry, retryDelay },
      ...{ networkMode: 'always', refetchOnReconnect: true },
    },
    mutations: { networkMode: 'always' },
  },
})

// The library listens only for visibility: a window beside others gets the focus back without having been hidden.
if (typeof window !== 'undefined') window.addEventListener('focus', () => focusManager.onFocus())

if (typeof window !== 'undefined') followPreferences(queryClient)

// Data of one user must never be shown to the next user in the same tab.
let owner = signedInUserId()
onSessionChange(() => {
  if (signedInUserId() === owner) return
  owner = signedInUserId()
  queryClient.clear()
})

/** Adds the server's answers to the cache as fresh by this browser's clock; events announce what changed since. */
export function hydrateAnswers(state: DehydratedState): void {
  const dataUpdatedAt = Date.now()
  const queries = state.queries.map((query) => ({
    ...query,
    state: { ...query.state, dataUpdatedAt },
  }))
  hydrate(queryClient, { ...state, queries })
}

/**
 * Invalidates queries. The library does not refetch a query whose first answer is still loading, and treats that answer as
 * fresh, although the server may have sent it before the change. So such queries are invalidated again when they have loaded
 * (decision 030).
 */
export async function invalidateWithPending(client: QueryClient, filters?: InvalidateQueryFilters) {
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
