import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { listConversations } from '#contract/mail/conversations.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { argsOf } from './list-pages.ts'
import { mailCache } from './mail-cache.ts'

const key = keyOf(listConversations, argsOf('box', 'inbox', 0))
const pageOf = (...ids: string[]) => ({
  items: ids.map((id) => ({ _id: `m${id}`, threadId: id, isRead: false })),
  total: ids.length,
})

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
})

const shown = () =>
  client
    .getQueryData<ReturnType<typeof pageOf>>(key)
    ?.items.map(({ threadId, isRead }) => (isRead ? `${threadId} read` : threadId))
const answer = (page: ReturnType<typeof pageOf>) =>
  client.fetchQuery({ queryKey: key, queryFn: async () => page, staleTime: 0 })

test('an answer that is older than a change that is under way does not take it back', async () => {
  await answer(pageOf('1', '2', '3'))
  const cache = mailCache(client, 'box')
  const first = await cache.remove(({ threadId }) => threadId === '1')
  const second = await cache.mark(({ threadId }) => threadId === '3', { isRead: true })
  expect(shown()).toEqual(['2', '3 read'])
  // The lists are read again for the first change, before the second one has arrived.
  first()
  await answer(pageOf('2', '3'))
  expect(shown()).toEqual(['2', '3 read'])
  await answer(pageOf('0', '2', '3'))
  expect(shown()).toEqual(['0', '2', '3 read'])
  second()
  await answer(pageOf('2', '3'))
  expect(shown()).toEqual(['2', '3'])
})

test('what was removed counts once, whoever removed it', async () => {
  await answer(pageOf('1', '2'))
  const cache = mailCache(client, 'box')
  const total = () => client.getQueryData<ReturnType<typeof pageOf>>(key)?.total
  await cache.remove(({ threadId }) => threadId === '1')
  expect(total()).toBe(1)
  await answer(pageOf('1', '2'))
  expect(total()).toBe(1)
  await answer(pageOf('2'))
  expect(total()).toBe(1)
})
