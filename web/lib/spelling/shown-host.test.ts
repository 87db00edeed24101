import { expect, test } from 'vitest'
import { shownAddress, shownHost } from './shown-host.ts'

test.each([
  ['xn--mnchen-3ya.example', 'münchen.example'],
  ['xn--e1afmkfd.example', 'пример.example'],
  ['xn--fsqu00a.xn--0zwm56d', '例子.测试'],
  ['mail.xn--bcher-kva.example', 'mail.bücher.example'],
  ['firm.example', 'firm.example'],
  ['xn--\u0001.example', 'xn--\u0001.example'],
  ['xn--99999999999.example', 'xn--99999999999.example'],
])('%s is shown as %s', (host, shown) => {
  expect(shownHost(host)).toBe(shown)
})

test.each([58, 59, 310, 400])('a label of %s digits before its end is no Punycode', (digits) => {
  const host = `xn--${'9'.repeat(digits)}a`
  expect(shownHost(host)).toBe(host)
})

test('of an address only the domain is shown otherwise', () => {
  expect(shownAddress('xn--mnchen-3ya@xn--mnchen-3ya.example')).toBe(
    'xn--mnchen-3ya@münchen.example',
  )
  expect(shownAddress('ada@firm.example')).toBe('ada@firm.example')
  expect(shownAddress('')).toBe('')
})
