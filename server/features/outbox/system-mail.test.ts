import { expect, test } from 'vitest'
import { isLikeALink } from './system-mail.ts'

test.each([
  'pay.example',
  'Bank24.com/login',
  'https://x',
  'eve@example.net',
  'bank\uff0ecom',
  'bank\u3002com',
  'bank.\u200bcom',
  'see 192.0.2.1',
  '\u202ereknaB',
])('%j is not named in a mail', (name) => {
  expect(isLikeALink(name)).toBe(true)
})

test.each([
  'Ada',
  'Dr. Ada Lovelace',
  'No.1 Ltd.',
  'Acme 2.0',
  'ACME... Trading',
  '\u0639\u0644\u064a',
])('%j is', (name) => {
  expect(isLikeALink(name)).toBe(false)
})
