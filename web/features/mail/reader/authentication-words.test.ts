import { expect, test } from 'vitest'
import { authenticationWords, checkWords } from './authentication-words.ts'

const none = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' }
const title = (given: Partial<typeof none>) =>
  authenticationWords({ ...none, ...given }, 'ada@example.com').title

test('DMARC decides when there is one', () => {
  expect(title({ dmarc: 'pass', spf: 'fail' })).toBe('Verified sender')
  expect(title({ dmarc: 'fail', dkim: 'pass', spf: 'pass' })).toBe('Sender not genuine')
})

test('without DMARC nothing is called genuine', () => {
  expect(title({ spf: 'pass', dkim: 'pass' })).toBe('Partly verified')
  expect(title({ spf: 'softfail' })).toBe('Sender unclear')
  expect(title({ dkim: 'temperror' })).toBe('Sender not checked')
  expect(title({})).toBe('Sender not verified')
})

test('the words name the domain of the sender', () => {
  expect(authenticationWords({ ...none, dmarc: 'pass' }, 'ada@example.com').details).toContain(
    'example.com',
  )
})

test('each check says what it asked and what came of it', () => {
  const words = checkWords({ spf: 'softfail', dkim: 'pass', dmarc: 'temperror', arc: 'none' })
  expect(words.map(({ name, result, tone }) => [name, result, tone])).toEqual([
    ['SPF', 'softfail', 'warn'],
    ['DKIM', 'pass', 'good'],
    ['DMARC', 'temperror', 'warn'],
    ['ARC', 'none', 'neutral'],
  ])
  for (const { says } of words) expect(says).toMatch(/^[A-Z].*\.$/)
  expect(words[2]?.says).toContain('could not be read')
})
