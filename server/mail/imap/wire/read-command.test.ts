import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Command } from './command.ts'
import { LAST } from './message-sets.ts'
import { readCommand } from './read-command.ts'

const NOW = Date.UTC(2026, 10, 27)

const read = (line: string, ...literals: string[]) =>
  readCommand(
    { text: line, literals: literals.map((each) => Buffer.from(each)) },
    { isUtf8: false, now: NOW },
  )
const commandIn = (line: string, ...literals: string[]): Command => {
  const found = read(`A1 ${line}`, ...literals)
  if ('fault' in found) throw new Error(found.fault)
  return found.command
}
const faultIn = (line: string, ...literals: string[]): string => {
  const found = read(line, ...literals)
  return 'fault' in found ? found.fault : 'understood'
}

describe('commands', () => {
  test.each<[string, object]>([
    ['noop', { name: 'NOOP' }],
    ['LOGIN ada "se\\"c\\\\ret"', { name: 'LOGIN', user: 'ada', password: 'se"c\\ret' }],
    ['ID ("name" "iPhone Mail" "version" NIL)', { name: 'ID' }],
    ['select "INBOX" (CONDSTORE)', { name: 'SELECT', mailbox: 'INBOX', isCondstore: true }],
    [
      'SELECT inbox (QRESYNC (67890007 20050715194045000 41,43:211,214:541))',
      {
        mailbox: 'INBOX',
        qresync: {
          ...{ uidValidity: 67890007, modseq: Number.MAX_SAFE_INTEGER },
          knownUids: [
            { first: 41, last: 41 },
            { first: 43, last: 211 },
            { first: 214, last: 541 },
          ],
        },
      },
    ],
    ['CREATE Sent2 (USE (\\Sent))', { name: 'CREATE', mailbox: 'Sent2', use: ['\\SENT'] }],
    [
      'LIST (SUBSCRIBED) "" ("INBOX" "Clients/%") RETURN (CHILDREN STATUS (MESSAGES UNSEEN))',
      { patterns: ['INBOX', 'Clients/%'], status: ['MESSAGES', 'UNSEEN'], isExtended: true },
    ],
    ['LIST "" "*" RETURN (SPECIAL-USE STATUS (UNSEEN))', { status: ['UNSEEN'] }],
    ['LIST "" *', { patterns: ['*'], isExtended: false }],
    ['STATUS &AOk-t&AOk- (MESSAGES)', { mailbox: 'été' }],
    ['FETCH 1:* FULL', { isUid: false, set: [{ first: 1, last: LAST }] }],
    ['UID FETCH *:4 (flags)', { isUid: true, set: [{ first: 4, last: LAST }] }],
    ['UID FETCH 1:9 (FLAGS) (CHANGEDSINCE 12 VANISHED)', { changedSince: 12, isVanished: true }],
    ['UID FETCH 1:* (UID) (PARTIAL -1:-50)', { partial: { first: -1, last: -50 } }],
    ['STORE 1 +FLAGS.SILENT (\\seen $Label \\Recent)', { how: 'add', isSilent: true }],
    ['UID STORE 3 (UNCHANGEDSINCE 320162338) -FLAGS \\Deleted', { unchangedSince: 320162338 }],
    ['NOTIFY NONE', { groups: null }],
    [
      'notify set status (selected (MessageNew (uid body[]) MessageExpunge)) (subtree ("A b" INBOX) NONE)',
      {
        tellsStatus: true,
        groups: [
          {
            of: 'SELECTED',
            events: new Set(['MESSAGENEW', 'MESSAGEEXPUNGE']),
            newItems: [{ item: 'UID' }, { label: 'BODY[]', isPeek: true }],
          },
          { of: 'SUBTREE', names: new Set(['A b', 'INBOX']), events: new Set() },
        ],
      },
    ],
    ['NOTIFY SET (personal (MailboxName ServerMetadataChange))', { badEvents: true }],
    ['UID MOVE 4,6 "Archive"', { name: 'MOVE', isUid: true, mailbox: 'Archive' }],
    ['UID EXPUNGE 3:5', { name: 'EXPUNGE', set: [{ first: 3, last: 5 }] }],
    [
      'SEARCH $ SEEN',
      { name: 'SEARCH', key: { all: [{ messages: 'saved', by: 'sequence' }, { flag: 'isRead' }] } },
    ],
    ['GETQUOTAROOT INBOX', { name: 'GETQUOTAROOT', of: 'INBOX' }],
  ])('%s', (line, expected) => {
    expect(commandIn(line)).toMatchObject(expected)
  })

  test('what a message is fetched by', () => {
    const fetch = commandIn(
      'FETCH 2 (BODY.PEEK[1.2.HEADER.FIELDS (Subject From)]<0.100> BINARY.SIZE[3] RFC822.HEADER BODY[])',
    )
    expect(fetch).toMatchObject({
      items: [
        {
          label: 'BODY[1.2.HEADER.FIELDS (Subject From)]',
          ...{ part: [1, 2], of: 'FIELDS', fields: ['subject', 'from'], isPeek: true },
          range: { offset: 0, length: 100 },
        },
        { label: 'BINARY.SIZE[3]', part: [3], as: 'decoded-size' },
        { label: 'RFC822.HEADER', of: 'HEADER', isPeek: true },
        { label: 'BODY[]', part: [], of: 'ALL', isPeek: false },
      ],
    })
  })

  test('messages to append, several at once, with flags and dates', () => {
    expect(
      commandIn('APPEND Sent (\\Seen) " 1-Feb-2026 08:30:00 +0100" \0 UTF8 (~\0)', 'one', 'two'),
    ).toMatchObject({
      messages: [
        { raw: Buffer.from('one'), date: new Date('2026-02-01T07:30:00Z') },
        { raw: Buffer.from('two'), date: null },
      ],
    })
  })

  test('a search', () => {
    const day = new Date('2026-02-01')
    expect(
      commandIn(
        'SEARCH RETURN (MIN COUNT) CHARSET UTF-8 OR (FROM \0 UNSEEN) NOT SENTSINCE 1-Feb-2026 YOUNGER 3600 HEADER X-A ""',
        'grüße',
      ),
    ).toMatchObject({
      returns: { options: new Set(['MIN', 'COUNT']) },
      key: {
        all: [
          {
            any: [
              { all: [{ header: 'from', contains: 'grüße' }, { not: { flag: 'isRead' } }] },
              { not: { date: 'sent', from: day } },
            ],
          },
          { date: 'internal', from: new Date(NOW - 3_600_000) },
          { header: 'x-a', contains: '' },
        ],
      },
    })
  })
})

describe('what cannot be understood', () => {
  test.each([
    ['', 'A command begins'],
    ['NOOP', 'A command begins'],
    ['A1 XYZZY', 'XYZZY is not known'],
    ['A1 NOOP more', 'more than the command takes'],
    ['A1 LOGIN ada', "' ' is missing"],
    ['A1 FETCH 0 FLAGS', '0 is no number'],
    ['A1 FETCH 4294967296 FLAGS', 'too large'],
    ['A1 FETCH 1 (BODY[MIME])', 'MIME is of a part'],
    ['A1 FETCH 1 NONSENSE', 'does not know NONSENSE'],
    ['A1 SEARCH SINCE 31-Feb-2026', 'A date is not like'],
    ['A1 SEARCH CHARSET KOI8-R ALL', 'charset is not known'],
    ['A1 SELECT &Jjo!', 'not modified UTF-7'],
    ['A1 SELECT "a', 'no end'],
    [`A1 SEARCH ${'NOT '.repeat(60)}ALL`, 'asks for too much'],
    [`A1 SEARCH ${'('.repeat(5_000)}`, 'asks for too much'],
    [`A1 SEARCH${' ALL'.repeat(600)}`, 'asks for too much'],
    ['A1 NOTIFY SET', 'takes a group'],
    ['A1 NOTIFY SET (selected (MessageNew))', 'go together'],
    ['A1 NOTIFY SET (personal (FlagChange))', 'goes with MessageNew'],
    ['A1 NOTIFY SET (selected (MailboxName))', 'events of messages alone'],
    ['A1 NOTIFY SET (personal (MessageNew (UID) MessageExpunge))', 'selected mailbox alone'],
    ['A1 NOTIFY SET (selected NONE) (selected-delayed NONE)', 'selected mailbox once'],
    ['A1 NOTIFY SET (subtree () NONE)', 'takes 1 to'],
    ['A1 NOTIFY SET (everything NONE)', 'does not know EVERYTHING'],
    ['A1 toString', 'TOSTRING is not known'],
    ['A1 FETCH 1 __proto__', 'is missing'],
  ])('%s', (line, sentence) => {
    expect(faultIn(line)).toContain(sentence)
  })

  test('nothing throws, whatever the bytes are, and the tag comes back', () => {
    const words = [
      ...[
        'FETCH',
        'UID',
        'SEARCH',
        'STORE',
        'LIST',
        'APPEND',
        'SELECT',
        'SORT',
        'NOTIFY SET',
        '(',
        ')',
        '[',
        ']',
      ],
      ...[
        '"',
        '\\',
        '\0',
        '{',
        '}',
        '*',
        '%',
        '1:*',
        '$',
        ',',
        '<0.5>',
        'BODY',
        'HEADER.FIELDS',
        'é',
      ],
      ...[
        'NOT',
        'OR',
        'CHARSET',
        'RETURN',
        '&',
        '-',
        '~',
        'QRESYNC',
        'NIL',
        '\r',
        '4294967295',
        ' ',
      ],
    ]
    const line = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((all) => all.join(''))
    fc.assert(
      fc.property(line, fc.array(fc.string(), { maxLength: 3 }), (text, literals) => {
        const { tag } = read(`A1 ${text}`, ...literals)
        expect(tag).toBe('A1')
      }),
      { numRuns: 20_000, seed: 9 },
    )
  })
})
