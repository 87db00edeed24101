import { dehydrate, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, readToasts } from '../toast-store.ts'
import { ApiError } from './api-error.ts'
import { hydrateAnswers, queryClient, retryDelay } from './query-client.ts'

const failing = (statusCode: number) =>
  new ApiError({ type: 'X', message: 'It failed', statusCode, path: '/x', data: {} })

let warnings: string[]

beforeEach(() => {
  warnings = []
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void warnings.push(line))
})
afterEach(() => {
  queryClient.clear()
  dismissToast()
  vi.restoreAllMocks()
})

/** Runs a query that always fails, without a delay between attempts; returns the number of attempts. */
async function attempts(error: unknown): Promise<number> {
  const queryFn = vi.fn(() => Promise.reject(error))
  const options = { queryKey: ['/x', Math.random()], queryFn, retryDelay: 0 }
  const observer = new QueryObserver(queryClient, options)
  await new Promise<void>((done) => {
    const stop = observer.subscribe(({ isError }) => {
      if (!isError) return
      stop()
      done()
    })
  })
  return queryFn.mock.calls.length
}

test.each([401, 403])('%d is final at once', async (status) => {
  expect(await attempts(failing(status))).toBe(1)
  expect(warnings).toEqual([`query failed (1): ${status} X`])
})

test.each([404, 409, 429, 500, 503])(
  '%d is tried three times more, and every failure is one line',
  async (status) => {
    expect(await attempts(failing(status))).toBe(4)
    expect(warnings).toEqual([1, 2, 3, 4].map((n) => `query failed (${n}): ${status} X`))
  },
)

test('the pauses grow, and are short for what does not exist', () => {
  const pauses = (status: number) => [0, 1, 2].map((n) => retryDelay(n, failing(status)))
  expect(pauses(404)).toEqual([100, 200, 400])
  for (const status of [429, 503]) expect(pauses(status)).toEqual([1000, 2000, 4000])
})

test.each([403, 500])('%d is told in a toast', async (status) => {
  await attempts(failing(status))
  expect(readToasts()).toMatchObject([
    { title: '❌ Error', description: 'It failed', variant: 'error', isOpen: true },
  ])
})

test.each([401, 404, 503])('%d is left to the page', async (status) => {
  await attempts(failing(status))
  expect(readToasts().filter(({ isOpen }) => isOpen)).toEqual([])
})

test('what was read stays fresh for ten seconds and is read again on focus', () => {
  const { queries } = queryClient.getDefaultOptions()
  expect(queries).toMatchObject({ staleTime: 10_000, refetchOnWindowFocus: true })
})

test('without a network calls fail instead of waiting for one, and are made again when it is back', () => {
  const { queries, mutations } = queryClient.getDefaultOptions()
  expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true })
  expect(mutations).toMatchObject({ networkMode: 'always' })
})

test('what a server asked for whose clock is wrong is as new as what this browser asks', () => {
  const ofServer = new QueryClient()
  const aDay = 86_400_000
  for (const [name, updatedAt] of Object.entries({ late: aDay, early: -aDay }))
    ofServer.setQueryData([name], name, { updatedAt: Date.now() + updatedAt })
  const before = Date.now()
  hydrateAnswers(dehydrate(ofServer))
  for (const name of ['late', 'early']) {
    const state = queryClient.getQueryState([name])
    expect(state?.data).toBe(name)
    expect(state?.dataUpdatedAt).toBeGreaterThanOrEqual(before)
    expect(state?.dataUpdatedAt).toBeLessThanOrEqual(Date.now())
  }
})
