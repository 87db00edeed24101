import { expect, test } from 'vitest'
import { plainError, plainLine } from './log.ts'

test('a person reads a line, not JSON', () => {
  const line = { level: 40, time: '2026-11-20T12:00:01.000Z', door: 'http', n: 3, msg: 'slow' }
  expect(plainLine(JSON.stringify(line))).toBe('12:00:01 warning: slow door=http n=3')
  const err = { message: 'no', stack: 'Error: no\n    at x' }
  expect(plainLine(JSON.stringify({ ...line, level: 50, err }))).toBe(
    '12:00:01 error: slow door=http n=3\nError: no\n    at x',
  )
})

test('an error is logged without what hangs on it', () => {
  const error = Object.assign(new Error('away', { cause: new Error('unplugged') }), {
    code: '57P01',
    client: { password: 'hidden' },
  })
  expect(plainError(error)).toEqual({
    type: 'Error',
    message: 'away',
    stack: error.stack,
    code: '57P01',
    cause: { type: 'Error', message: 'unplugged', stack: expect.any(String) },
  })
})
