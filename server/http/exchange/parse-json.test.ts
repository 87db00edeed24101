import { expect, test } from 'vitest'
import { MAX_DEPTH, MAX_VALUES, openJsonSize } from './parse-json.ts'

const refusalOf = (text: string, pieces = 1) => {
  const size = openJsonSize()
  const bytes = Buffer.from(text)
  const length = Math.ceil(bytes.length / pieces)
  for (let at = 0; at < bytes.length; at += length) {
    const refusal = size.add(bytes.subarray(at, at + length))
    if (refusal) return refusal.type
  }
  return null
}

test('values are counted wherever they stand, and letters of strings are not', () => {
  const many = MAX_VALUES + 1
  for (const body of [
    `[${'[],'.repeat(many)}[]]`,
    `[${'0,'.repeat(many)}0]`,
    `{${'"":0,'.repeat(many)}"":0}`,
    `[${'"",'.repeat(many)}""]`,
    `${'{"a":[],"b":"\\\\"},'.repeat(many)}`,
  ])
    for (const pieces of [1, 7, 1000]) expect(refusalOf(body, pieces)).toBe('PAYLOAD_TOO_LARGE')
  const text = '[],{}:"\\'.repeat(many)
  for (const pieces of [1, 7, 1000]) expect(refusalOf(JSON.stringify({ text }), pieces)).toBeNull()
  expect(
    refusalOf(JSON.stringify(Array.from({ length: 1000 }, () => crypto.randomUUID()))),
  ).toBeNull()
})

test('a number or spaces without end are refused, and so is what is deep', () => {
  expect(refusalOf('7'.repeat(1_000_000))).toBe('PAYLOAD_TOO_LARGE')
  expect(refusalOf(' '.repeat(1_000_000))).toBe('PAYLOAD_TOO_LARGE')
  expect(refusalOf('['.repeat(MAX_DEPTH + 1))).toBe('BAD_REQUEST')
  expect(refusalOf(`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`)).toBeNull()
})

test('the end of a long string is found wherever it stands, and an escape before it', () => {
  for (const length of [255, 256, 257, 4_351, 4_352, 4_353, 20_000])
    for (const letters of ['x'.repeat(length), `${'x'.repeat(length)}\\"`]) {
      const body = `["${letters}",${'[],'.repeat(MAX_VALUES)}[]]`
      const whole = `["${letters}${'[],'.repeat(MAX_VALUES)}"]`
      for (const pieces of [1, 3, 50]) {
        expect(refusalOf(body, pieces)).toBe('PAYLOAD_TOO_LARGE')
        expect(refusalOf(whole, pieces)).toBeNull()
      }
    }
})
