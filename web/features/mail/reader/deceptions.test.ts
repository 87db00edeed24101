import { expect, test } from 'vitest'
import { deceptionsIn } from './deceptions.ts'

const authentication = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' }
const OWN = 'ada@firm.example'

type Given = { from: string; name?: string; replyTo?: string; dmarc?: string; header?: string }
const found = ({ from, name = '', replyTo, dmarc = 'none', header }: Given) =>
  deceptionsIn(
    {
      from: { name, address: from },
      replyTo: replyTo === undefined ? [] : [{ name: '', address: replyTo }],
      authentication: { ...authentication, dmarc },
      headers: header === undefined ? [] : [{ name: header, value: 'x' }],
    },
    OWN,
  )

test.each([
  ['an answer that goes elsewhere', { from: 'a@bank.example', replyTo: 'b@evil.example' }, /evil/],
  ['a name with another address', { from: 'x@evil.example', name: 'pay@bank.example' }, /bank/],
  ['an unproven sender of the own domain', { from: 'boss@firm.example' }, /your own domain/],
  ['one with a digit for a letter', { from: 'boss@f1rm.example' }, /looks like your domain/],
  ['one with rn for m', { from: 'boss@firrn.example' }, /looks like your domain/],
  [
    'a name with the own domain',
    { from: 'x@evil.example', name: 'firm.example Help' },
    /own domain/,
  ],
  ['one beside other words', { from: 'x@evil.example', name: 'Firm.example-Help' }, /own domain/],
  ['one as a part', { from: 'x@evil.example', name: 'www.firm.example.' }, /own domain/],
  ['the name of a site', { from: 'x@evil.example', name: 'paypal.com Service' }, /paypal.com/],
  ['one with www', { from: 'x@evil.example', name: '(www.Sparkasse.de)' }, /sparkasse.de/],
  ['one under another', { from: 'x@paypal.com.evil.example', name: 'paypal.com' }, /paypal.com/],
  ['a name of two alphabets', { from: 'x@evil.example', name: 'PayPаl' }, /look like others/],
  ['a name with I for l', { from: 'x@evil.example', name: 'PayPaI', dmarc: 'pass' }, /look like/],
  ['a name with 0 for o', { from: 'x@evil.example', name: 'The Micr0soft team' }, /look like/],
  ['another alphabet', { from: 'x@xn--80ak6aa92e.example' }, /^аррӏе.example is written with/],
  ['the own domain in another alphabet', { from: 'x@fіrm.example' }, /looks like your domain/],
])('warns of %s', (_name, given, words) => {
  expect(found(given).join()).toMatch(words)
})

test.each([
  ['an ordinary sender', { from: 'a@other.example', name: 'Anna' }],
  ['an answer to the same house', { from: 'a@news.bank.example', replyTo: 'b@bank.example' }],
  ['an answer to a list', { from: 'a@x.example', replyTo: 'l@y.example', header: 'List-Id' }],
  ['its own address as name', { from: 'a@bank.example', name: 'a@bank.example' }],
  ['a proven colleague', { from: 'boss@firm.example', dmarc: 'pass' }],
  ['a colleague who names the firm', { from: 'a@mail.firm.example', name: 'firm.example' }],
  ['a name that ends like the own domain', { from: 'a@b.example', name: 'My-firm.example Shop' }],
  ['a site that writes itself', { from: 'no-reply@mail.booking.com', name: 'Booking.com' }],
  ['a site with www that does', { from: 'x@sparkasse.de', name: 'www.sparkasse.de' }],
  [
    'points that end no site',
    { from: 'a@b.example', name: 'Node.js Weekly by Dr.Smith, Acme.Inc' },
  ],
  ['a name in Cyrillic beside a Latin one', { from: 'a@b.example', name: 'Анна Smith' }],
  [
    'names with an I or a digit of their own',
    { from: 'a@b.example', name: 'OpenAI McIntosh 1und1' },
  ],
  ['a house with an umlaut', { from: 'a@xn--mnchen-3ya.example', name: 'Stadt München' }],
])('says nothing of %s', (_name, given) => {
  expect(found(given)).toEqual([])
})
