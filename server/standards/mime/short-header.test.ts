import { expect, test } from 'vitest'
import { parseMessage } from '../message-text.ts'
import { withShortHeader } from './short-header.ts'

const short = (text: string) => withShortHeader(Buffer.from(text)).toString()
const long = 'x'.repeat(400_000)

test('a header of 256,000 bytes stays as it is', () => {
  const text = `Subject: ${'x'.repeat(255_987)}\r\n\r\nHello\r\n`
  expect(short(text)).toBe(text)
})

test.each([
  ['a line', `Subject: ${long}`],
  ['folds', `Subject: x${`\r\n ${'y'.repeat(98)}`.repeat(4_000)}`],
])('a field that is too long is cut, and all others are kept: %s', (_name, field) => {
  const text = short(
    `From: a@b.example\r\n${field}\r\nTo: c@d.example\r\n\r\nHello\r\n\r\nYours\r\n`,
  )
  expect(text).toBe(
    `From: a@b.example\r\n${field.slice(0, 16_000)}\r\nTo: c@d.example\r\n\r\nHello\r\n\r\nYours\r\n`,
  )
})

test('fields beyond the bound are left out, and the letter is read', async () => {
  const text = `Subject: Hi\r\n${'X-More: y\r\n'.repeat(30_000)}\r\nHello\r\n`
  expect(short(text).indexOf('\r\n\r\nHello')).toBeLessThanOrEqual(256_000)
  const more = `Subject: Hi\r\nX-Long: ${long}${long}\r\n\r\nHello\r\n`
  expect(await parseMessage(Buffer.from(more))).toMatchObject({ subject: 'Hi', text: 'Hello\n' })
})

test('a header that does not end is cut as well', () => {
  expect(short(`Subject: ${long}`)).toBe(`Subject: ${'x'.repeat(15_991)}\r\n\r\n`)
})
