import { expect, test } from 'vitest'
import { mixesAlphabets, posesAsLatin, shapeOf } from './look-alikes.ts'

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
