import { afterEach, expect, test, vi } from 'vitest'
import { openCache, remembered } from './cache.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('beyond the most the oldest goes, and what is set again is the newest', () => {
  const cache = openCache<number>({ most: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  cache.set('c', 4)
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([3, undefined, 4])
})

test('an entry is forgotten when its time is over', () => {
  vi.useFakeTimers()
  const cache = openCache<number>({ most: 2, keepMs: 1_000 })
  cache.set('a', 1)
  vi.advanceTimersByTime(999)
  expect(cache.get('a')).toBe(1)
  vi.advanceTimersByTime(1)
  expect(cache.get('a')).toBe(undefined)
})

test('what fails is asked again, and what is being asked is asked once', async () => {
  const cache = openCache<Promise<number>>({ most: 2 })
  let asked = 0
  const fail = () => {
    asked++
    return Promise.reject(new Error('no'))
  }
  const both = [remembered(cache, 'a', fail), remembered(cache, 'a', fail)]
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  expect(asked).toBe(1)
  expect(await remembered(cache, 'a', async () => 2)).toBe(2)
})
