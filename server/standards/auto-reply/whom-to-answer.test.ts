import { expect, test } from 'vitest'
import { headerLinesOf } from '../message-lines.ts'
import { type Received, whomToAnswer } from './whom-to-answer.ts'

const own = ['ada@engines.example', 'countess@engines.example']
const grace = 'grace@navy.example'
const plain = {
  mailFrom: grace,
  from: { address: grace },
  to: [{ address: 'ada@engines.example' }],
  cc: [],
  authentication: { spf: 'pass', dmarc: 'pass' },
  signers: [],
}

const ask = (fields: string[], changes: Partial<Received> = {}) => {
  const text = ['From: Grace <grace@navy.example>', 'Subject: Hi', ...fields, '', 'Hi'].join('\r\n')
  return whomToAnswer({ ...plain, ...changes, header: headerLinesOf(Buffer.from(text)) }, own)
}

test.each<[string, Partial<Received>, unknown]>([
  ['a person', {}, { to: grace, as: own[0] }],
  ['in other letters', { mailFrom: 'Grace@NAVY.example' }, { to: grace, as: own[0] }],
  ['to a tag', { to: [{ address: 'Ada+news@engines.example' }] }, { to: grace, as: own[0] }],
  ['to an alias', { to: [{ address: 'countess@engines.example' }] }, { to: grace, as: own[1] }],
  ['in copy', { to: [], cc: [{ address: 'ADA@engines.example' }] }, { to: grace, as: own[0] }],
  ['written here', { authentication: null }, { to: grace, as: own[0] }],
  ['proven by SPF', { authentication: { spf: 'pass', dmarc: 'none' } }, { to: grace, as: own[0] }],
  [
    'signed by the domain of its sender',
    { authentication: { spf: 'none', dmarc: 'none' }, signers: ['list.example', 'Navy.example'] },
    { to: grace, as: own[0] },
  ],
  ['proven by nothing', { authentication: { spf: 'none', dmarc: 'none' } }, 'forged'],
  [
    'signed by somebody else',
    { authentication: { spf: 'softfail', dmarc: 'none' }, signers: ['evil.example'] },
    'forged',
  ],
  [
    'another one as sender than the author, who is proven',
    { mailFrom: 'victim@bank.example', authentication: { spf: 'none', dmarc: 'pass' } },
    'forged',
  ],
  ['vouched for', { authentication: { spf: 'fail', dmarc: 'pass' } }, { to: grace, as: own[0] }],
  ['a bounce', { mailFrom: '' }, 'no sender'],
  ['no author', { from: null }, 'no sender'],
  ['an author that is none', { from: { address: 'x' } }, 'no sender'],
  ['a blind copy', { to: [{ address: 'others@engines.example' }] }, 'not addressed'],
  ['a look-alike', { to: [{ address: 'ada@engines.example.net' }] }, 'not addressed'],
  ['from itself', { mailFrom: 'ada+x@engines.example' }, 'from itself'],
  ['in its own name', { from: { address: 'Countess@engines.example' } }, 'from itself'],
  ['DMARC failed', { authentication: { spf: 'pass', dmarc: 'fail' } }, 'forged'],
  ['SPF forbids', { authentication: { spf: 'fail', dmarc: 'none' } }, 'forged'],
])('%s', (_name, changes, expected) => {
  expect(ask([], changes)).toEqual(expected)
})

test.each([
  'Auto-Submitted: auto-replied',
  'auto-submitted: Auto-Generated (rule)',
  'Auto-Submitted:\r\n auto-notified',
  'Auto-Submitted: nothing-that-is-known',
  'X-Auto-Response-Suppress: DR, OOF',
  'X-Auto-Response-Suppress: All',
  'X-Autoreply: yes',
  'Return-Path: <>',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
])('a program wrote it: %s', (field) => {
  expect(ask([field])).toBe('automatic')
})

test.each([
  'List-Id: <engines.lists.example>',
  'LIST-UNSUBSCRIBE: <https://lists.example/u>',
  'List-Post: NO',
  'Precedence: bulk',
  'Precedence:  List',
  'Precedence: junk',
  'Mailing-List: x',
  'Feedback-ID: 1:2:3',
])('it went to many: %s', (field) => {
  expect(ask([field])).toBe('list or bulk')
})

test.each(['Auto-Submitted: no', 'Auto-Submitted: No (a person)', 'Precedence: first-class'])(
  'a person wrote it all the same: %s',
  (field) => {
    expect(ask([field])).toEqual({ to: grace, as: own[0] })
  },
)

test.each([
  ...['no-reply', 'noreply', 'NoReply', 'do-not-reply', 'do_not_reply', 'donotreply+7', 'no.reply'],
  ...['mailer-daemon', 'MAILER-DAEMON', 'postmaster', 'abuse', 'root', 'hostmaster', 'listserv'],
  ...['owner-engines', 'engines-request', 'engines-owner', 'engines-bounces', 'bounce+a=b.example'],
  ...['bounces-12-x', 'shop-noreply', 'news-no-reply', 'majordomo', 'bounce'],
])('nobody reads %s@', (local) => {
  const address = `${local}@navy.example`
  expect(ask([], { mailFrom: address })).toBe('no-reply address')
  expect(ask([], { from: { address } })).toBe('no-reply address')
})

test.each(['reply', 'norbert', 'bouncer', 'owner', 'request', 'rooter', 'noel.reply', 'abuseful'])(
  'somebody reads %s@',
  (local) => {
    const address = `${local}@navy.example`
    expect(ask([], { mailFrom: address, from: { address } })).toEqual({ to: address, as: own[0] })
  },
)
