import { expect, test } from 'vitest'
import { type Box, clearPlace, shareCovered } from './toast-place.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const toast = { width: 384, height: 74 }
const onPhone = { width: 286, height: 74 }

const box = (left: number, top: number, width: number, height: number): Box => ({
  ...{ left, top, width, height },
})
const rows = (count: number, height: number): Box[] =>
  Array.from({ length: count }, (_, at) => box(0, 60 + at * height, 390, height))

test('with nothing in its way it stands at the bottom: in the left corner, on a phone in the middle', () => {
  expect(clearPlace(toast, WIDE, [])).toEqual({ left: 16, top: 810 })
  expect(clearPlace(onPhone, PHONE, [])).toEqual({ left: 52, top: 754 })
})

test('it stands aside, no farther than it must', () => {
  const bar = [box(100, 840, 100, 40), box(220, 840, 100, 40)]
  expect(clearPlace(toast, WIDE, bar)).toEqual({ left: 16, top: 760 })
  const dock = [box(16, 800, 80, 36), box(338, 800, 36, 36)]
  expect(clearPlace(onPhone, PHONE, dock)).toEqual({ left: 52, top: 720 })
})

test.each([
  ['a bar at the bottom', WIDE, toast, [box(300, 820, 1140, 60)]],
  [
    'a table full of buttons',
    WIDE,
    toast,
    rows(14, 57).map((row) => ({ ...row, left: 1300, width: 36, height: 36 })),
  ],
  [
    'a form on a phone',
    PHONE,
    onPhone,
    Array.from({ length: 5 }, (_, at) => box(16, 20 + at * 130, 358, 40)),
  ],
])('%s: nothing is covered', (_what, window, size, controls) => {
  const at = { ...clearPlace(size, window, controls), ...size }
  for (const control of controls) expect(shareCovered(at, control)).toBe(0)
  expect(at.left).toBeGreaterThanOrEqual(0)
  expect(at.top + at.height).toBeLessThanOrEqual(window.height)
})

test('where all is rows, it lies on a part of one or two of them, never on a small button', () => {
  const list = rows(9, 88)
  const buttons = list.flatMap(({ top }) => [box(12, top + 16, 16, 16), box(350, top + 46, 32, 32)])
  const at = { ...clearPlace(onPhone, PHONE, [...list, ...buttons]), ...onPhone }
  for (const button of buttons) expect(shareCovered(at, button)).toBe(0)
  for (const row of list) expect(shareCovered(at, row)).toBeLessThan(0.5)
})

test('where there is no room at all it stays at its edge, inside the window', () => {
  const at = clearPlace(onPhone, PHONE, [box(0, 0, 390, 60), ...rows(60, 14)])
  expect(at.left).toBe(52)
  expect(at.top).toBeGreaterThanOrEqual(0)
  expect(at.top).toBeLessThan(60)
})
