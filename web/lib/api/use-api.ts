/**
 * Endpoints as queries and mutations. The key of a query is the endpoint's path and arguments; which queries a change makes
 * stale follows from what the endpoints read and change.
 */
import {
  type QueryClient,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Arguments, Output, Route } from '#contract/route.ts'
import { call } from './api.ts'
import type { ApiError } from './api-error.ts'
import { invalidateWithPending } from './query-client.ts'

export const keyOf = <R extends Route>(route: R, args: Arguments<R>) => [route.path, args] as const

/** Key and function of a query. */
export const queryOf = <R extends Route>(route: R, args: Arguments<R>) => ({
  queryKey: keyOf(route, args),
  meta: { reads: route.reads },
  queryFn: ({ signal }: { signal: AbortSignal }) => call(route, args, { signal }),
})

export const useApi = <R extends Route>(
  route: R,
  args: Arguments<R>,
  options: Omit<UseQueryOptions<Output<R>, ApiError>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<Output<R>, ApiError> =>
  useQuery<Output<R>, ApiError>({
    ...options,
    ...queryOf(route, args),
  })

/**
 * Runs a call, then reloads the queries that read what the endpoint changes.
 * `onError` is not called when the session has ended: a toast says that already, and the form is gone with its
 * values kept.
 */
export const useCall = <R extends Route>(
  route: R,
  {
    onError,
    onSuccess,
    ...options
  }: Omit<UseMutationOptions<Output<R>, ApiError, Arguments<R>>, 'mutationFn'> = {},
): UseMutationResult<Output<R>, ApiError, Arguments<R>> => {
  const client = useQueryClient()
  return useMutation<Output<R>, ApiError, Arguments<R>>({
    ...options,
    onSuccess: async (...answer) => {
      const answeredAt = Date.now()
      await onSuccess?.(...answer)
      await readAgain(client, route, answeredAt)
    },
    onError: (error, ...rest) => {
      if (error.type === 'REFRESH') return
      onError?.(error, ...rest)
      if (saysThatItChanged(error)) void readAgain(client, route)
    },
    mutationFn: (args) => call(route, args),
  })
}

/** An error of the client often means that another user has changed the data. After errors of the server nothing is reloaded. */
const saysThatItChanged = ({ statusCode, type }: ApiError): boolean =>
  statusCode >= 400 && statusCode < 500 && statusCode !== 429 && type !== 'VALIDATION'

/** Reloads all queries that read what this endpoint changes, except those updated with its answer since `answeredAt`. */
export const readAgain = (
  client: QueryClient,
  { changes = [] }: Route,
  answeredAt = Number.POSITIVE_INFINITY,
): Promise<void> =>
  invalidateWithPending(client, {
    predicate: ({ meta, state }) =>
      state.dataUpdatedAt < answeredAt &&
      (meta?.reads ?? []).some((subject) => changes.includes(subject)),
  })
