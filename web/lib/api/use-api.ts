/**
 * Endpoints as queries and mutations. The key of a query is the endpoint's path and arguments; what to ask again after a change
 * follows from what the endpoints read and change.
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
import { askAgain } from './query-client.ts'

export const keyOf = <R extends Route>(route: R, args: Arguments<R>) => [route.path, args] as const

/** What a query is known by, and how it is answered. */
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
 * After a change, the queries that read what was changed are asked again.
 * `onError` is spared the end of the session, which is told already: the form that asked is gone by then, its
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

/** A refusal is often the first that this page hears of a change by someone else; a server in trouble is asked nothing more. */
const saysThatItChanged = ({ statusCode, type }: ApiError): boolean =>
  statusCode >= 400 && statusCode < 500 && statusCode !== 429 && type !== 'VALIDATION'

/** Asks every query again that reads what this endpoint changes, but those that were filled with its answer since then. */
export const readAgain = (
  client: QueryClient,
  { changes = [] }: Route,
  answeredAt = Number.POSITIVE_INFINITY,
): Promise<void> =>
  askAgain(client, {
    predicate: ({ meta, state }) =>
      state.dataUpdatedAt < answeredAt &&
      (meta?.reads ?? []).some((subject) => changes.includes(subject)),
  })
