import { expect, test } from 'vitest'
import { headerGauge } from './check-message.ts'

const headerOf = (bytes: number) => {
  const lines = 'Subject: x\r\n'.padEnd(bytes - 200, `X-Line: ${'x'.repeat(90)}\r\n`)
  return `${lines}\r\nX-Rest: ${'x'.repeat(bytes - lines.length - 14)}\r\n\r\n`
}
const piecesOf = (text: string, bytes: number) =>
  Array.from({ length: Math.ceil(text.length / bytes) }, (_, n) =>
    Buffer.from(text.slice(n * bytes, (n + 1) * bytes)),
  )
const body = 'Hello\r\n'.repeat(50_000)

// Pieces of 101 bytes shift by one byte per line, so they end at every position of a line.
test.each([101, 4_096, 65_536, 1_000_000])('a header in pieces of %s bytes', (bytes) => {
  const isTooLong = (text: string) => {
    const gauge = headerGauge()
    return piecesOf(text, bytes).some(gauge)
  }
  expect(isTooLong(headerOf(256_000) + body)).toBe(false)
  expect(isTooLong(headerOf(256_001) + body)).toBe(true)
  expect(isTooLong(headerOf(257_000).trimEnd())).toBe(true)
})

test.each([1, 2, 3, 7])('an empty header in pieces of %s bytes', (bytes) => {
  expect(piecesOf(`\r\n${body}`, bytes).some(headerGauge())).toBe(false)
})
