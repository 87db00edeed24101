import { expect, test } from 'vitest'
import { mixesAlphabets, posesAsLatin, shapeOf, shownHost } from './look-alikes.ts'

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

test.each(['pаypal.example', 'xn--pypal-4ve.example', 'xn--80ak6aa92e.example'])(
  '%s poses as Latin',
  (host) => {
    expect(posesAsLatin(host)).toBe(true)
  },
)

test.each(['münchen.example', 'xn--e1afmkfd.example', 'сосна.рф', 'русь.рф', '例子.example'])(
  '%s does not',
  (host) => {
    expect(posesAsLatin(host)).toBe(false)
  },
)

test('what looks the same has one shape', () => {
  expect(shapeOf('fіrm.example')).toBe(shapeOf('firm.example'))
  expect(shapeOf('f1rm.example')).toBe(shapeOf('firm.example'))
  expect(shapeOf('form.example')).not.toBe(shapeOf('firm.example'))
})

test('a word of two alphabets is seen, a name of two words is not', () => {
  expect(mixesAlphabets('PayPаl')).toBe(true)
  expect('Анна Smith'.split(' ').some(mixesAlphabets)).toBe(false)
})
