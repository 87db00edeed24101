import { useQueryClient } from '@tanstack/react-query'
import { MAX_AT_ONCE, type RowResult } from '#contract/many-domains.ts'
import type { Route } from '#contract/route.ts'
import { holdNews } from '../live/hold-news.ts'
import { messageOf } from './api-error.ts'
import { inParts } from './in-parts.ts'
import { readAgain } from './use-api.ts'

/** Runs a verb on many rows, `size` of them in a request. The rows of a part that could not be sent say why. */
export function useRunMany<Row extends RowResult>(
  route: Route,
  size: number,
  send: (ids: string[]) => Promise<Row[]>,
) {
  const client = useQueryClient()
  return async (
    ids: readonly string[],
    onProgress: (done: number) => void,
  ): Promise<(Row | RowResult)[]> => {
    const letNewsGoOn = holdNews(route.changes ?? [])
    const { rows, left, error } = await inParts(
      ids.slice(0, MAX_AT_ONCE),
      size,
      send,
      onProgress,
    ).finally(() => {
      // First, so that the news finds its lists read again already.
      void readAgain(client, route)
      letNewsGoOn()
    })
    const message = error === null ? '' : messageOf(error)
    return [...rows, ...left.map((id) => ({ id, isDone: false, message }))]
  }
}
