import { expect, test } from 'vitest'
import { nextCheckAt, type Watch } from './store-check.ts'

const HOUR = 3600
const since = new Date('2026-11-20T12:00:00Z')
const at = (seconds: number) => new Date(since.getTime() + seconds * 1000)

const waits = (seconds: number, given: Partial<Watch> = {}): number[] => {
  const watch = { isActive: false, hasBeenActive: false, isWaitedFor: false, since }
  const now = at(seconds)
  return Array.from({ length: 200 }, () => {
    const next = nextCheckAt(now, { ...watch, unansweredSince: null, ...given })
    return (next.getTime() - now.getTime()) / 1000
  })
}

const about = (all: number[], seconds: number) => {
  expect(Math.min(...all)).toBeGreaterThan(seconds * 0.91)
  expect(Math.max(...all)).toBeLessThan(seconds * 1.09)
}

test('looking again becomes ever more seldom, and goes on every six hours once all is right', () => {
  about(waits(0), 15)
  about(waits(60), 15)
  about(waits(HOUR), 900)
  about(waits(4 * HOUR), HOUR)
  about(waits(71 * HOUR), HOUR)
  about(waits(73 * HOUR), 24 * HOUR)
  about(waits(73 * HOUR, { hasBeenActive: true }), 6 * HOUR)
  about(waits(HOUR, { isActive: true, hasBeenActive: true }), 6 * HOUR)
})

test('who waits at the page waits 15 seconds, however old the domain is', () => {
  for (const isActive of [false, true])
    expect(new Set(waits(400 * HOUR, { isActive, isWaitedFor: true }))).toEqual(new Set([15]))
})

test('what could not be looked up is tried again soon, and more seldom when nobody ever answers', () => {
  const active = { isActive: true, hasBeenActive: true }
  about(waits(HOUR, { ...active, unansweredSince: at(HOUR) }), 300)
  about(waits(HOUR, { ...active, unansweredSince: at(0) }), 900)
  about(waits(40 * HOUR, { ...active, unansweredSince: at(0) }), 6 * HOUR)
  about(waits(0, { unansweredSince: at(0) }), 15)
  about(waits(80 * HOUR, { unansweredSince: at(80 * HOUR) }), 300)
})

test('10,000 domains that were checked in one moment do not fall due together again', () => {
  const watch = { isActive: true, hasBeenActive: true, since, isWaitedFor: false }
  const perMinute = new Map<number, number>()
  for (let n = 0; n < 10_000; n++) {
    const next = nextCheckAt(since, { ...watch, unansweredSince: null })
    const minute = Math.floor(next.getTime() / 60_000)
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1)
  }
  expect(perMinute.size).toBeGreaterThan(50)
  expect(Math.max(...perMinute.values())).toBeLessThan(300)
})
