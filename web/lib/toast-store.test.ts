import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, readToasts, TOAST_DURATION_MS, toast } from './toast-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('a new toast takes the place of the one before', () => {
  toast({ title: 'First' })
  toast({ title: 'Second', variant: 'error' })
  expect(readToasts()).toMatchObject([
    { title: 'Second', variant: 'error', isOpen: true, durationMs: TOAST_DURATION_MS },
  ])
  expect(TOAST_DURATION_MS).toBe(5000)
  dismissToast()
})

test('a dismissed toast is closed at once and removed after 1000000 ms', () => {
  const id = toast({ title: 'Saved' })
  dismissToast(id)
  expect(readToasts()).toMatchObject([{ id, isOpen: false }])
  vi.advanceTimersByTime(999_999)
  expect(readToasts()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(readToasts()).toHaveLength(0)
})

test('dismissing an old toast leaves the one that replaced it', () => {
  const old = toast({ title: 'Old' })
  dismissToast(old)
  const newer = toast({ title: 'New' })
  dismissToast(old)
  vi.advanceTimersByTime(1_000_000)
  expect(readToasts()).toMatchObject([{ id: newer, isOpen: true }])
  dismissToast()
})
