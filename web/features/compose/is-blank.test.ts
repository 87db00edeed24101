import { expect, test } from 'vitest'
import { isBlank } from './use-compose.ts'

const signature = '<p>Ada <b>Lovelace</b></p><img src="data:,">'
const blank = { body: '', subject: ' ', attachments: [], quotation: '', isQuoted: false }

test('a message without subject, text and file is noticed, whatever its signature; anything to read in it says something', () => {
  expect(isBlank(blank, '')).toBe(true)
  const signed = `<p></p><p></p>${signature}`
  expect(isBlank({ ...blank, body: signed }, signature)).toBe(true)
  expect(isBlank({ ...blank, quotation: '<p>Before</p>' }, '')).toBe(true)

  expect(isBlank({ ...blank, subject: 'Call me' }, '')).toBe(false)
  expect(isBlank({ ...blank, body: `<p>Yes.</p>${signature}` }, signature)).toBe(false)
  expect(isBlank({ ...blank, body: `<img src="blob:1">${signed}` }, signature)).toBe(false)
  expect(isBlank({ ...blank, body: '<p><img src="blob:1"></p>' }, '')).toBe(false)
  expect(isBlank({ ...blank, attachments: [{}] }, '')).toBe(false)
  expect(isBlank({ ...blank, quotation: '<p>Before</p>', isQuoted: true }, '')).toBe(false)
})
