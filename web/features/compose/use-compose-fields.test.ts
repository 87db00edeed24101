import { expect, test } from 'vitest'
import { errorAt, errorsIn, startValues, withTypedEntries } from './use-compose-fields.ts'

const start = {
  from: 'me@x.io',
  addresses: ['me@x.io'],
  to: ['ada@example.com'],
  cc: [],
  bcc: [],
  subject: '',
  isPlain: false,
  body: '',
  quotation: '',
  attachments: [],
  copies: undefined,
  inReplyTo: undefined,
  forwardOf: undefined,
  identity: { draft: 'd', writer: 'w', save: 0, basedOn: undefined },
  known: [],
  localCopy: undefined,
}

test('what is still being typed counts as a recipient', () => {
  const values = { ...startValues(start), typed: { to: 'bob@x.io', cc: 'c@x.io, d', bcc: '' } }
  const whole = withTypedEntries(values)
  expect(whole.to).toEqual(['ada@example.com', 'bob@x.io'])
  expect(whole.cc).toEqual(['c@x.io', 'd'])
  expect(whole.typed.to).toBe('')
})

test('a wrong recipient is named; none at all is refused, but not in a draft', () => {
  const values = { ...startValues(start), cc: ['ok@x.io', 'nonsense'] }
  const errors = errorsIn(values, false)
  expect(errors).toEqual({ 'cc.1': 'Invalid email address' })
  expect(errorAt(errors, values, 'cc')).toBe('Invalid email address: nonsense')
  expect(errorAt(errors, values, 'to')).toBeUndefined()
  const nobody = { ...startValues(start), to: [] }
  expect(errorsIn(nobody, false)).toEqual({ to: 'Please enter at least one recipient' })
  expect(errorsIn(nobody, true)).toEqual({})
})
