import { expect, test } from 'vitest'
import { tokenCookie, tokenIn } from './access-token.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

/** What `document.cookie` returns after a cookie was set. */
const shown = (cookie: string) => `theme=dark; ${cookie.split(';')[0]}; last=1`

test('a token comes back until its time is over', () => {
  const cookies = shown(tokenCookie('a.b.c', 600, NOW, false))
  expect(tokenIn(cookies, NOW)).toBe('a.b.c')
  expect(tokenIn(cookies, NOW + 599_999)).toBe('a.b.c')
  expect(tokenIn(cookies, NOW + 600_000)).toBeNull()
})

test('the cookie is for the whole site, ends with the token and is secure on https', () => {
  const cookie = tokenCookie('a.b.c', 600, NOW, true)
  expect(cookie).toMatch(/^_access_token=/)
  expect(cookie.split('; ').slice(1)).toEqual([
    'Path=/',
    'Expires=Sat, 21 Nov 2026 12:10:00 GMT',
    'SameSite=Lax',
    'Secure',
  ])
  expect(tokenCookie('a.b.c', 600, NOW, false)).not.toContain('Secure')
})

test.each([
  '',
  '_access_token=',
  '_access_token=a.b.c',
  '_access_token=null',
  '_access_token=%7B%22token%22%3A1%2C%22tokenExpiresAt%22%3A9999999999999%7D',
  '_access_token=%7B%22token%22%3A%22a%22%7D',
  '_access_token=%E0%A4%A',
  'x_access_token=%7B%22token%22%3A%22a%22%2C%22tokenExpiresAt%22%3A9999999999999%7D',
])('%j holds no token', (cookies) => {
  expect(tokenIn(cookies, NOW)).toBeNull()
})
