import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { askAgain } from '../api/ask-again.ts'
import { afterOwnCalls, watchReads } from './last-reads.ts'

/** A client whose queries are shown and count how often they are asked for. */
const aClient = () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const reads = watchReads(client)
  const asked: string[] = []
  const show = async (name: string) => {
    const queryFn = async () => asked.push(name)
    const observer = new QueryObserver(client, { queryKey: [name], queryFn })
    observer.subscribe(() => {})
    await observer.refetch()
  }
  const hear = () => {
    const heardAt = performance.now()
    return new Promise<void>((resolve) =>
      afterOwnCalls(client, () => {
        const predicate = (query: Parameters<typeof reads.isAfter>[0]) =>
          !reads.isAfter(query, heardAt)
        void askAgain(client, { predicate }).then(resolve)
      }),
    )
  }
  return { client, asked, show, hear }
}

const change = (client: QueryClient, onSuccess: () => Promise<void>) => {
  const answer = Promise.withResolvers<void>()
  const mutation = client
    .getMutationCache()
    .build(client, { mutationFn: () => answer.promise, onSuccess })
  return { done: mutation.execute(undefined), answer: answer.resolve }
}

test('a change that is told with nothing under way is read at once', async () => {
  const { asked, show, hear } = aClient()
  await show('records')
  await hear()
  expect(asked).toEqual(['records', 'records'])
})

test('what an own call reads after its answer is not read again for the news of that call', async () => {
  const { client, asked, show, hear } = aClient()
  for (const name of ['records', 'domain', 'links']) await show(name)
  asked.length = 0
  const call = change(client, async () => {
    client.setQueryData(['records'], 9)
    await askAgain(client, { queryKey: ['domain'] })
  })
  const news = hear()
  expect(asked).toEqual([])
  call.answer()
  await Promise.all([call.done, news])
  // The answer of the call is the records; nothing but the news brings the links.
  expect(asked).toEqual(['domain', 'links'])
})
