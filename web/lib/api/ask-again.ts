import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query'

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
