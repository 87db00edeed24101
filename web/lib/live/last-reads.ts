/** When each query was last asked for: what was asked for after a change is told needs no second question. */
import type { Query, QueryClient } from '@tanstack/react-query'

/** Longer is no own call waited for: somebody else's news is not held back by an upload. */
const HOLD_MS = 1000

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
