import { expect, test } from 'vitest'
import { authenticationWords } from './authentication-words.ts'

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
