import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { aBrokenMail } from '#test-world/real-mail/broken-mail.ts'
import { mailsWithFiles } from '#test-world/real-mail/files.ts'
import { letters } from '#test-world/real-mail/letters.ts'
import { hostileMails } from '#test-world/trials/hostile-mails.ts'
import { chanceOf } from '#test-world/trials/seeded.ts'
import { openAttachments, openMessage } from '../../reading/opened-message.ts'
import { decodeTransfer } from '../transfer-encoding.ts'
import type { MailStructure, Part } from './mail-structure.ts'
import { readStructure } from './read-structure.ts'
import { MAX_STRUCTURE_BYTES } from './room.ts'

const read = (text: string): MailStructure => readStructure(Buffer.from(text))
const lines = (...all: string[]): string => all.join('\r\n')
const partsOf = (part: Part): Part[] => [
  part,
  ...(part.parts ?? []).flatMap(partsOf),
  ...(part.message === undefined ? [] : partsOf(part.message.part)),
]

const report = lines(
  'From: Ada <ada@example.com>',
  'Content-Type: multipart/mixed; boundary="a b"',
  '',
  'preamble',
  '--a b',
  'Content-Type: text/plain; charset=UTF-8',
  'Content-Language: en, de',
  '',
  'One',
  'Two',
  '',
  '--a b  ',
  'Content-Type: image/png; name="x.png"',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: attachment; filename="x.png"; size=3',
  'Content-ID: <1@x>',
  'Content-Description: A',
  '  picture',
  'Content-MD5: abc==',
  'Content-Location: http://x/y',
  '',
  'AAAA',
  '--a b--',
  'epilogue',
  '',
)

test('parts are told with their places, sizes and lines', () => {
  const { part } = read(report)
  const [text, picture] = part.parts ?? []
  expect(part).toMatchObject({ type: 'multipart', subtype: 'mixed', end: report.length })
  expect(part.parameters).toEqual(['boundary', 'a b'])
  expect(text).toMatchObject({
    ...{ type: 'text', subtype: 'plain', parameters: ['charset', 'UTF-8'] },
    ...{ language: ['en', 'de'], lines: 2 },
  })
  expect(picture).toMatchObject({
    ...{ type: 'image', subtype: 'png', parameters: ['name', 'x.png'], encoding: 'base64' },
    ...{ id: '<1@x>', description: 'A  picture', md5: 'abc==', location: 'http://x/y' },
    disposition: { value: 'attachment', parameters: ['filename', 'x.png', 'size', '3'] },
  })
  expect(picture).not.toHaveProperty('lines')
  expect([text, picture].map((each) => report.slice(each?.body, each?.end))).toEqual([
    'One\r\nTwo\r\n',
    'AAAA',
  ])
  expect(report.slice(picture?.header, picture?.body)).toMatch(/^Content-Type: image.*\r\n\r\n$/s)
})

test('a message inside has its own envelope and parts', () => {
  const inner = lines('Subject: In', 'From: b@x', '', 'Hello', 'there')
  const raw = lines(
    'Subject: Out',
    'Content-Type: multipart/digest; boundary=b',
    ...['', '--b', '', inner, '--b', 'Content-Type: text/plain', '', 'x', '--b--', ''],
  )
  const [message, text] = read(raw).part.parts ?? []
  expect(message).toMatchObject({ type: 'message', subtype: 'rfc822', lines: 4 })
  expect(message?.message).toMatchObject({
    envelope: { subject: 'In', from: [[null, null, 'b', 'x']] },
    part: { type: 'text', subtype: 'plain', lines: 1 },
  })
  expect(raw.slice(message?.body, message?.end)).toBe(inner)
  expect(text).toMatchObject({ type: 'text', subtype: 'plain' })
})

test('a message inside that was encoded is a file', () => {
  const header = 'Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n'
  expect(read(`${header}U3ViamVjdDogeA==`).part).toMatchObject({
    ...{ type: 'application', subtype: 'octet-stream', encoding: 'base64' },
  })
})

test('a multipart that says it was encoded was not, and has its parts', () => {
  const header = 'Content-Transfer-Encoding: quoted-printable\r\n'
  expect(read(header + report).part.parts).toHaveLength(2)
})

test.each<[string, string, object[]]>([
  ['a name', 'Ada L. <ada@x.org>', [['Ada L.', null, 'ada', 'x.org']]],
  ['a quoted name', '"L, \\"A\\"" <ada@x.org>', [['L, "A"', null, 'ada', 'x.org']]],
  [
    'encoded words as they were sent',
    '=?utf-8?Q?J=C3=B6?= <a@x>',
    [['=?utf-8?Q?J=C3=B6?=', null, 'a', 'x']],
  ],
  ['raw letters', 'Jö <a@x>', [['Jö', null, 'a', 'x']]],
  ['a comment as name', 'ada@x.org (Ada (L))', [['Ada (L)', null, 'ada', 'x.org']]],
  ['a route', '<@a,@b:ada@x.org>', [[null, '@a,@b', 'ada', 'x.org']]],
  ['a quoted mailbox', '"a b"@x.org', [[null, null, 'a b', 'x.org']]],
  ['an IPv6 host', 'a@[IPv6:2001:db8::1]', [[null, null, 'a', '[IPv6:2001:db8::1]']]],
  ['a name without brackets', 'Ada L ada@x.org', [['Ada L', null, 'ada', 'x.org']]],
  ['a mailbox without a host', 'root', [[null, null, 'root', 'MISSING_DOMAIN']]],
  [
    'semicolons between addresses',
    'a@x; b@x',
    [
      [null, null, 'a', 'x'],
      [null, null, 'b', 'x'],
    ],
  ],
  [
    'groups',
    'Team: a@x, B <b@x>; Nobody:;',
    [
      ...[
        [null, null, 'Team', null],
        [null, null, 'a', 'x'],
        ['B', null, 'b', 'x'],
      ],
      ...[
        [null, null, null, null],
        [null, null, 'Nobody', null],
        [null, null, null, null],
      ],
    ],
  ],
  [
    'a group that does not end',
    'Team: a@x',
    [
      [null, null, 'Team', null],
      [null, null, 'a', 'x'],
      [null, null, null, null],
    ],
  ],
])('%s', (_name, value, wanted) => {
  expect(read(`From: me@x\r\nTo: ${value}\r\n\r\n`).envelope.to).toEqual(wanted)
})

test('the envelope is told as it was sent, without folds', () => {
  const { envelope } = read(
    lines(
      ...[
        'Date: Mon, 23 Nov 2026 10:00:00 +0100',
        'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
        ' and more',
      ],
      ...['From: a@x', 'To: b@x', 'Cc: ', 'To: c@x', 'Message-ID: <1@x>', 'In-Reply-To: <0@x>'],
      ...['Subject: another', '', ''],
    ),
  )
  expect(envelope).toEqual({
    ...{ date: 'Mon, 23 Nov 2026 10:00:00 +0100', subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?= and more' },
    from: [[null, null, 'a', 'x']],
    to: [
      [null, null, 'b', 'x'],
      [null, null, 'c', 'x'],
    ],
    ...{ messageId: '<1@x>', inReplyTo: '<0@x>' },
  })
})

test('nobody is the author of no mail', () => {
  expect(read('Sender: a@x\r\n\r\n').envelope.from).toEqual([[null, null, 'a', 'x']])
  expect(read('\r\n').envelope.from).toEqual([[null, null, 'MISSING_MAILBOX', 'MISSING_DOMAIN']])
})

test('bytes of old programs are read, and no text has a control character', () => {
  const raw = Buffer.from('Subject: Gr\xfc\xdfe \x00\x07\x01\tx\r\n\r\n', 'latin1')
  expect(readStructure(raw).envelope.subject).toBe('Grüße     x')
})

test.each([
  ['name*0*=utf-8\'\'a%20; name*1="b c"', ['name*', "utf-8''a%20b%20c"]],
  ['name*1=b; name*0=a', ['name', 'ab']],
  ['Name="a;b\\"c"; NAME=second; flag', ['Name', 'a;b"c', 'flag', '']],
  ['name=Invoice(1).pdf (a; comment); x=1', ['name', 'Invoice(1).pdf', 'x', '1']],
  ['name=(open; x=1', ['name', '(open', 'x', '1']],
])('parameters: %s', (text, wanted) => {
  expect(read(`Content-Type: text/plain; ${text}\r\n\r\n`).part.parameters).toEqual(wanted)
})

test.each([
  ['no parts', lines('Content-Type: multipart/mixed; boundary=b', '', 'Hello', '')],
  ['no boundary', lines('Content-Type: multipart/mixed', '', 'Hello', '')],
  ['only its end', lines('Content-Type: multipart/mixed; boundary=b', '', 'Hello', '--b--')],
])('a multipart with %s has one text, which is all of it', (_name, raw) => {
  const { part } = read(raw)
  expect(part.parts).toMatchObject([
    { type: 'text', subtype: 'plain', body: part.body, end: part.end },
  ])
})

test('a part without an empty line has no body', () => {
  const raw = lines(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: a/c',
    '--b--',
    '',
  )
  const [part] = read(raw).part.parts ?? []
  expect(part).toMatchObject({ type: 'a', subtype: 'c' })
  expect(raw.slice(part?.header, part?.end)).toBe('Content-Type: a/c')
})

test('a part without a body, ended by the delimiter of an outer multipart, lies in its own', () => {
  const inner = lines('Content-Type: multipart/mixed; boundary=c', '', '--c', 'A: b', '', '--b--')
  const [multipart] =
    read(lines('Content-Type: multipart/mixed; boundary=b', '', '--b', inner)).part.parts ?? []
  expect(multipart?.parts).toMatchObject([{ body: multipart?.end, end: multipart?.end }])
})

/** What makes a structure useless, as sentences. */
const faultsOf = ({ part, envelope, fields = [] }: MailStructure, raw: Buffer): string[] => {
  const faults: string[] = []
  const within = (inner: Part, from: number, to: number) => {
    const { header, body, end, parts, message, type, subtype } = inner
    const where = `${type}/${subtype} at ${header}`
    if (!(from <= header && header <= body && body <= end && end <= to))
      faults.push(`${where} lies outside`)
    if (type === '' || subtype === '') faults.push(`${where} has no type`)
    if (/^multipart$/i.test(type) !== (parts !== undefined)) faults.push(`${where} has no parts`)
    if (/^message\/rfc822$/i.test(`${type}/${subtype}`) !== (message !== undefined))
      faults.push(`${where} has no message`)
    if (parts?.length === 0) faults.push(`${where} has an empty list of parts`)
    let before = body
    for (const each of parts ?? []) {
      within(each, before, end)
      before = each.end
    }
    if (message === undefined) return
    within(message.part, body, end)
    if (message.part.header !== body || message.part.end !== end)
      faults.push(`${where} is not filled`)
    if (message.envelope.from.length === 0) faults.push(`${where} is of nobody`)
  }
  within(part, 0, raw.length)
  if (part.header !== 0 || part.end !== raw.length) faults.push('the parts are not the mail')
  if (envelope.from.length === 0) faults.push('the mail is of nobody')
  for (let n = 0; n < fields.length; n += 3)
    if ((fields[n + 1] ?? 0) + (fields[n + 2] ?? 0) > part.body)
      faults.push('a field lies outside the header')
  if (Buffer.byteLength(JSON.stringify({ part, envelope, fields })) > MAX_STRUCTURE_BYTES)
    faults.push('too large')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text may have them
  if (/[\u0000-\u001f]|\\u00[01]/.test(JSON.stringify({ part, envelope })))
    faults.push('control characters')
  return faults
}

const kinds = [...mailsWithFiles, ...letters]

test.each([...kinds, ...hostileMails].map(({ name, raw }) => [name, raw] as const))(
  'the structure of %s is valid',
  (_name, raw) => {
    expect(faultsOf(readStructure(raw), raw)).toEqual([])
  },
)

test.each(kinds.map(({ name, raw }) => [name, raw] as const))(
  'the files that web mail shows of %s are parts',
  async (_name, raw) => {
    const parts = partsOf(readStructure(raw).part)
    const { attachments } = await openMessage(raw)
    const files =
      (await openAttachments(
        raw,
        attachments.map(({ n }) => n),
      )) ?? []
    expect(files).toHaveLength(attachments.length)
    for (const { content, filename } of files)
      expect(
        parts.some(({ body, end, encoding = '' }) =>
          Buffer.from(decodeTransfer(raw.subarray(body, end), encoding)).equals(content),
        ),
        filename,
      ).toBe(true)
  },
)

const SEEDS = Number(process.env.STRUCTURES ?? 400)
test(`whatever the bytes are, the structure is valid (${SEEDS} broken mails)`, () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const raw = aBrokenMail(chanceOf(seed))
    expect(faultsOf(readStructure(raw), raw), `seed ${seed}`).toEqual([])
  }
})

test('counts the lines of parts as their bytes have them', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const raw = aBrokenMail(chanceOf(seed))
    for (const { lines: counted, body, end } of partsOf(readStructure(raw).part))
      if (counted !== undefined)
        expect(counted).toBe(raw.toString('latin1', body, end).split('\n').length - 1)
  }
  expect(read(`\r\n${'x\r\n'.repeat(5_000)}`).part.lines).toBe(5_000)
})

const BYTES = 10_000_000
const filled = (start: string, rest: string) =>
  Buffer.from(start + rest.repeat(Math.ceil(BYTES / rest.length)))
const nested = Array.from(
  { length: 99 },
  (_, n) =>
    `Content-Type: multipart/mixed; boundary="aaaaaaaaaaaa${n}"\r\n\r\n--aaaaaaaaaaaa${n}\r\n`,
).join('')
const mixed = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'

test.each([
  ['line ends', filled('', '\n')],
  ['fields', filled('', 'A:b\r\n')],
  ['lines like delimiters of a hundred multiparts', filled(nested, '\n--aaaaaaaaaaaa')],
  ['empty parts', filled(mixed, '--b\n')],
  ['multiparts with one boundary', filled(mixed, `--b\n${mixed}`)],
  ['messages within messages', filled('', 'Content-Type: message/rfc822\n\n')],
  ['recipients', filled('', `To: ${'a@b,'.repeat(4_000)}\r\n`)],
  ['open comments', filled('To: ', '(')],
  ['open quotes', filled('Content-Type: a/b', ';a="(')],
])('10 MB of %s take no more time than their bytes', async (_name, raw) => {
  let structure: MailStructure | null = null
  const ms = await computingMsOf(() => {
    structure = readStructure(raw)
  })
  expect(structure === null ? ['none'] : faultsOf(structure, raw)).toEqual([])
  expect(ms).toBeLessThan(3_000)
})
