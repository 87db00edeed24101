import { expect, test } from 'vitest'
import { forwardSubject, replyRecipients, replySubject } from './answer.ts'

const own = ['me@x.io', 'desk@y.io']
const person = (address: string) => ({ name: '', address })
const message = {
  from: person('ada@example.com'),
  to: [person('me@x.io'), person('bob@x.io')],
  cc: [person('carl@x.io'), person('ADA@example.com')],
  replyTo: [],
}

test('a subject gets its prefix once', () => {
  expect(replySubject('Tea')).toBe('Re: Tea')
  expect(replySubject('RE: Tea')).toBe('RE: Tea')
  expect(forwardSubject('Tea')).toBe('Fwd: Tea')
  expect(forwardSubject('Fw: Tea')).toBe('Fw: Tea')
  expect(replySubject('')).toBe('Re:')
})

test('a reply goes to the sender, to all also to the others but not to oneself', () => {
  expect(replyRecipients(message, own, false)).toEqual({ to: ['ada@example.com'], cc: [] })
  expect(replyRecipients(message, own, true)).toEqual({
    to: ['ada@example.com'],
    cc: ['bob@x.io', 'carl@x.io'],
  })
})

test('Reply-To is what the sender asked for', () => {
  const asked = { ...message, replyTo: [person('desk@example.com')] }
  expect(replyRecipients(asked, own, false).to).toEqual(['desk@example.com'])
})

test('an answer to a message of mine goes where it went', () => {
  const mine = { ...message, from: person('me@x.io'), to: [person('bob@x.io')] }
  expect(replyRecipients(mine, own, true)).toEqual({
    to: ['bob@x.io'],
    cc: ['carl@x.io', 'ADA@example.com'],
  })
  const toMyself = { ...mine, to: [person('me@x.io')], cc: [] }
  expect(replyRecipients(toMyself, own, true)).toEqual({ to: ['me@x.io'], cc: [] })
})

test('no address of mine is answered, whichever I was written to at', () => {
  const toDesk = {
    ...message,
    to: [person('Desk@y.io'), person('me+news@x.io'), person('bob@x.io')],
  }
  expect(replyRecipients(toDesk, own, true).cc).toEqual(['bob@x.io', 'carl@x.io'])
  const fromDesk = { ...message, from: person('desk@y.io'), to: [person('bob@x.io')] }
  expect(replyRecipients(fromDesk, own, false)).toEqual({ to: ['bob@x.io'], cc: [] })
})
