/**
 * Endpoints as queries and mutations. The key of a query is the endpoint's path and arguments, so
 * that whoever changes something can name what to read again without importing another feature.
 */
import {
  type QueryClient,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import type { Arguments, Output, Route } from '#contract/route.ts'
import { call } from './api.ts'
import type { ApiError } from './api-error.ts'
import { askAgain } from './ask-again.ts'

export const keyOf = <R extends Route>(route: R, args: Arguments<R>) => [route.path, args] as const

/** What a query is known by, and how it is answered. */
export const queryOf = <R extends Route>(route: R, args: Arguments<R>) => ({
  queryKey: keyOf(route, args),
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

/** `onError` is spared the end of the session, which is told already: the form that asked is gone by then, its values kept. */
export const useCall = <R extends Route>(
  route: R,
  {
    onError,
    ...options
  }: Omit<UseMutationOptions<Output<R>, ApiError, Arguments<R>>, 'mutationFn'> = {},
): UseMutationResult<Output<R>, ApiError, Arguments<R>> =>
  useMutation<Output<R>, ApiError, Arguments<R>>({
    ...options,
    onError: (error, ...rest) => (error.type === 'REFRESH' ? undefined : onError?.(error, ...rest)),
    mutationFn: (args) => call(route, args),
  })

/** Reads every query of these endpoints again, whatever its arguments. */
export const readAgain = async (client: QueryClient, ...routes: Route[]): Promise<void> => {
  await Promise.all(routes.map((route) => askAgain(client, { queryKey: [route.path] })))
}
