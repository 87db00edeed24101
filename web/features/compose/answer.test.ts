import { expect, test } from 'vitest'
import type { Person } from '#contract/messages.ts'
import { forwardSubject, listAddress, replyRecipients, replySubject } from './answer.ts'

const own = ['me@x.io', 'desk@y.io']
const person = (address: string) => ({ name: '', address })
const message = {
  from: person('ada@example.com'),
  to: [person('me@x.io'), person('bob@x.io')],
  cc: [person('carl@x.io'), person('ADA@example.com')],
  replyTo: [] as Person[],
  headers: [] as { name: string; value: string }[],
}

test('a subject gets its prefix once', () => {
  expect(replySubject('Tea')).toBe('Re: Tea')
  expect(replySubject('RE: Tea')).toBe('RE: Tea')
  expect(forwardSubject('Tea')).toBe('Fwd: Tea')
  expect(forwardSubject('Fw: Tea')).toBe('Fw: Tea')
  expect(replySubject('')).toBe('Re:')
  for (const known of ['AW: Tea', 'Re[3]: Tea', 'SV : Tea', '回复：茶'])
    expect(replySubject(known)).toBe(known)
  for (const known of ['WG: Tea', 'TR: Tea', '转发：茶']) expect(forwardSubject(known)).toBe(known)
  for (const other of ['Reading', 'Award: Tea', 'Entry']) {
    expect(replySubject(other)).toBe(`Re: ${other}`)
    expect(forwardSubject(other)).toBe(`Fwd: ${other}`)
  }
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

const posted = (value: string) => ({ headers: [{ name: 'List-Post', value }] })

test.each([
  ['<mailto:engines@lists.example>', 'engines@lists.example'],
  ['<mailto:engines@lists.example> (Postings are moderated)', 'engines@lists.example'],
  [
    '<https://lists.example/post>, <mailto:engines@lists.example?subject=x>',
    'engines@lists.example',
  ],
  ['<MAILTO:engines\r\n @lists.example>', 'engines@lists.example'],
  ['<mailto:a%2Bb@lists.example>', 'a+b@lists.example'],
  ['NO (posting not allowed on this list)', null],
  ['mailto:engines@lists.example', null],
  ['<mailto:>', null],
  ['<mailto:not an address>', null],
  ['<mailto:a@lists.example%0D%0ABcc:b@x.io>', null],
])('List-Post %j is %j', (value, address) => {
  expect(listAddress(posted(value))).toBe(address)
})

const LIST = 'engines@lists.example'
const byList = {
  ...message,
  ...{ to: [person(LIST)], cc: [] },
  ...posted(`<mailto:${LIST}>`),
}

test.each<[string, Partial<typeof message>, one: string[], all: string[]]>([
  ['as its author sent it', {}, ['ada@example.com'], [LIST]],
  ['and the author reads elsewhere', { replyTo: [person('a@y.example')] }, ['a@y.example'], [LIST]],
  [
    'that puts itself into Reply-To',
    { replyTo: [person('Engines@lists.example')] },
    ['ada@example.com'],
    [LIST],
  ],
  [
    'that adds itself to Reply-To',
    { replyTo: [person('a@y.example'), person(LIST)] },
    ['a@y.example'],
    [LIST],
  ],
  [
    'that takes the place of its author, as DMARC makes it',
    { from: person(LIST), replyTo: [person('ada@example.com')] },
    ['ada@example.com'],
    [LIST],
  ],
  ['that hides its authors', { from: person(LIST), replyTo: [person(LIST)] }, [LIST], []],
  ['that got it as Bcc', { to: [person('me@x.io')] }, ['ada@example.com'], [LIST]],
  ['from myself', { from: person('me@x.io') }, [LIST], []],
  [
    'with others beside it',
    { to: [person(LIST), person('me+list@x.io')], cc: [person('bob@x.io')] },
    ['ada@example.com'],
    [LIST, 'bob@x.io'],
  ],
])('a message of a list, %s: one answers its author, all the list', (_name, given, one, all) => {
  const came = { ...byList, ...given }
  expect(replyRecipients(came, own, false)).toEqual({ to: one, cc: [] })
  expect(replyRecipients(came, own, true)).toEqual({ to: one, cc: all })
})
