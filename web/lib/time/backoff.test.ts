import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackoff } from './backoff.ts'

const bounds = { firstMs: 1_000, longestMs: 5_000 }

beforeEach(() => {
  vi.useFakeTimers()
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('each wait is twice as long, up to the longest, until it went well', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  const backoff = createBackoff(bounds)
  expect([1, 2, 3, 4, 5].map(() => backoff.nextMs())).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
  backoff.reset()
  expect(backoff.nextMs()).toBe(1_000)
})

test('browsers come back at different times, none after less than half of the wait', () => {
  const waits = Array.from({ length: 200 }, () => createBackoff(bounds).nextMs())
  expect(new Set(waits).size).toBeGreaterThan(100)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000)
})

test('the server is asked no sooner than it says, and no later than in ten minutes', () => {
  const backoff = createBackoff(bounds)
  expect(backoff.nextMs(40)).toBe(40_000)
  expect(backoff.nextMs(9_999_999)).toBe(600_000)
})

test.each([
  ['the browser is online again', () => dispatchEvent(new Event('online'))],
  ['it is told to stop', (stop: AbortController) => stop.abort()],
])('a wait ends when %s', async (_, end) => {
  const stop = new AbortController()
  let hasEnded = false
  const waiting = createBackoff(bounds)
    .wait(stop.signal)
    .then(() => {
      hasEnded = true
    })
  await vi.advanceTimersByTimeAsync(100)
  expect(hasEnded).toBe(false)
  end(stop)
  await waiting
})

test('a wait that was stopped before it began ends at once', async () => {
  const waiting = createBackoff(bounds).wait(AbortSignal.abort())
  await vi.advanceTimersByTimeAsync(0)
  await expect(waiting).resolves.toBeUndefined()
})
