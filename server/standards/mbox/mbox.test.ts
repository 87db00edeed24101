import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { withCrlf } from '../message-lines.ts'
import { type MboxEntry, readMbox } from './read-mbox.ts'
import { isMessageStart, unpackMessage } from './unpack-message.ts'
import { type MboxMessage, writeMboxMessage } from './write-mbox.ts'

async function* piecesOf(file: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
}

const read = async (
  text: string | Buffer,
  { size = 64_000, maxBytes = 1_000_000, startByte = 0 } = {},
): Promise<MboxEntry[]> => {
  const file = Buffer.from(text)
  const entries: MboxEntry[] = []
  for await (const entry of readMbox(piecesOf(file.subarray(startByte), size), {
    startByte,
    maxBytes,
  }))
    entries.push(entry)
  return entries
}

const bodies = (entries: MboxEntry[]) =>
  entries.map((entry) => {
    const raw = unpackMessage(entry)?.raw.toString('latin1') ?? ''
    const [, ...body] = raw.split('\r\n\r\n')
    return body.join('\r\n\r\n')
  })

const date = 'Thu Nov 19 09:00:00 2026'
const first = `From a@b.example ${date}\nSubject: 1\n\n`
const second = `From c@d.example ${date}\nSubject: 2\n\n`

test.each<[string, string, string[]]>([
  [
    'mboxrd',
    `${first}x\n>From you\n>>From me\n\n${second}y\n`,
    ['x\r\nFrom you\r\n>From me\r\n', 'y\r\n'],
  ],
  ['CRLF', `${first}x\n\n${second}y\n\n`.replaceAll('\n', '\r\n'), ['x\r\n', 'y\r\n']],
  [
    'empty lines at both ends of a body',
    `${first}\nx\n\n\n${second}y\n\n`,
    ['\r\nx\r\n\r\n', 'y\r\n'],
  ],
  ['no body', `${first}${second}y\n`, ['', 'y\r\n']],
  ['empty lines before all', `\r\n\n${first}x\n\n${second}y`, ['x\r\n', 'y\r\n']],
  [
    'no quotes',
    `${first}x\n\nFrom the start, all is well.\nMore\n\n${second}y\n`,
    ['x\r\n\r\nFrom the start, all is well.\r\nMore\r\n', 'y\r\n'],
  ],
  ['no empty line between', `${first}x\n${second}y\n`, ['x\r\n', 'y\r\n']],
  [
    'Thunderbird',
    `From - ${date}\nX-Mozilla-Status: 0001\n\nx\n\nFrom - ${date}\nSubject: 2\n\ny\n`,
    ['x\r\n', 'y\r\n'],
  ],
  [
    'Takeout',
    `From 17@xxx Thu Nov 19 09:00:00 +0000 2026\r\nX-GM-THRID: 1\r\n\r\nx\r\n\r\nFrom 18@xxx Thu Nov 19 09:00:00 +0000 2026\r\nSubject: 2\r\n\r\ny\r\n`,
    ['x\r\n', 'y\r\n'],
  ],
  [
    'no dates',
    'From a@b.example\nSubject: 1\n\nx\n\nFrom c@d.example\nSubject: 2\n\ny\n',
    ['x\r\n', 'y\r\n'],
  ],
  [
    'counted, not quoted',
    `From a ${date}\nContent-Length: ${`x\n\n${second}z\n`.length}\n\nx\n\n${second}z\n\n${second}y\n`,
    [`x\r\n\r\n${second.replaceAll('\n', '\r\n')}z\r\n`, 'y\r\n'],
  ],
  [
    'counted and quoted',
    `From a ${date}\nContent-Length: 10\n\n>From you\n\n${second}y\n`,
    ['From you\r\n', 'y\r\n'],
  ],
  [
    'counted wrong',
    `From a ${date}\nContent-Length: 5\n\nlonger than that\n\n${second}y\n`,
    ['longer than that\r\n', 'y\r\n'],
  ],
  [
    'counted far too long',
    `From a ${date}\nContent-Length: 99999999\n\nx\n\n${second}y\n`,
    ['x\r\n', 'y\r\n'],
  ],
  ['one message without a line above', 'Subject: 1\r\nTo: b\r\n\r\nx\r\n', ['x\r\n']],
])('%s', async (_name, file, expected) => {
  for (const size of [1, 7, 64_000]) expect(bodies(await read(file, { size }))).toEqual(expected)
})

type Written = MboxMessage & { raw: Buffer }

const message = (raw: string, changes: Partial<MboxMessage> = {}): Written => ({
  raw: Buffer.from(raw, 'latin1'),
  mailFrom: 'a@b.example',
  date: new Date('2026-11-09T08:07:06Z'),
  folder: { role: 'inbox' },
  isRead: true,
  isStarred: false,
  isAnswered: false,
  ...changes,
})

test('what is written is read back byte for byte, with its folder, flags and date', async () => {
  const messages = [
    message(
      'Subject: 1\r\n\r\nFrom me\r\n>From you\r\n\r\nFrom a@b.example Thu Nov 19 09:00:00 2026\r\nTo: x\r\n',
    ),
    message('Subject: 2\r\n\r\n', { folder: { name: 'Große Pläne/2026' }, isRead: false }),
    message('Subject: 3\r\n', { folder: { role: 'sent' }, isStarred: true, mailFrom: '' }),
    message('Subject: 4\r\n\r\n\r\n\r\n', { isAnswered: true, isStarred: true }),
    message(
      'From: b\r\nStatus: O\r\nX-Status: D\r\nContent-Length: 3\r\n\r\n\xe4\xff\x80\r\nmore\r\n',
    ),
    message('X-Mailstead-Folder: junk\r\nStatus: O\r\nX-Status: \r\n\r\nx\r\n'),
  ]
  const written = messages.map((each) => Array.fromAsync(writeMboxMessage(each, [each.raw])))
  const file = Buffer.concat((await Promise.all(written)).flat())
  for (const size of [1, 13, 64_000]) {
    const unpacked = (await read(file, { size })).map(unpackMessage)
    expect(unpacked.map((each) => each?.raw.toString('latin1'))).toEqual(
      messages.map(({ raw }) => raw.toString('latin1')),
    )
    expect(unpacked).toMatchObject(
      messages.map(({ folder, isRead, isStarred, isAnswered, mailFrom, date }) => ({
        folders: [folder],
        ...{ isRead, isStarred, isAnswered, mailFrom, date, isGone: false },
      })),
    )
  }
})

test('a message in pieces is the same wherever it is cut, also within a line', async () => {
  const raw = Buffer.from(
    'Subject: x\r\n\r\nFrom here\r\n>From there\r\nby From\r\n\r\nend',
    'latin1',
  )
  const given = message('')
  const write = async (size: number) =>
    Buffer.concat(await Array.fromAsync(writeMboxMessage(given, piecesOf(raw, size)))).toString()
  const whole = await write(raw.length)
  expect(whole).toContain('\n\n>From here\n>>From there\nby From\n\nend\n\n')
  for (let size = 1; size < 20; size++) expect(await write(size)).toBe(whole)
})

test('reading goes on where it stopped', async () => {
  const file = `${first}x\n\n${second}y\n\n${first}z\n`
  const all = await read(file)
  expect(all.map(({ startByte, endByte }) => file.slice(startByte, endByte)).join('')).toBe(file)
  for (const { startByte, endByte } of all) {
    expect(bodies(await read(file, { startByte }))).toEqual(
      bodies(all.filter((each) => each.startByte >= startByte)),
    )
    expect(bodies(await read(file, { startByte: endByte }))).toEqual(
      bodies(all.filter((each) => each.startByte >= endByte)),
    )
  }
})

test('a message that is too large is passed over, and so is what is none', async () => {
  const huge = `${first}${'x'.repeat(99)}\n`.concat('y\n'.repeat(20_000))
  const file = `${first}a\n\n${huge}\n${second}b\n\nFrom x ${date}\n \n\n${second}c\n`
  for (const size of [1_000, 64_000]) {
    const entries = await read(file, { size, maxBytes: 20_000 })
    expect(entries.map(({ content }) => content !== null)).toEqual([true, false, true, true, true])
    expect(entries[1]).toMatchObject({ startByte: `${first}a\n\n`.length })
    expect(entries[1]?.fromLine).toContain('a@b.example')
    expect(entries.map((entry) => unpackMessage(entry) === null)).toEqual([
      false,
      true,
      false,
      true,
      false,
    ])
  }
})

test('a length that is a lie takes nothing with it, however long the file is', async () => {
  const lie = `From a@b.example ${date}\nContent-Length: 999999999999\n\nx\n\n`
  const more = Array.from({ length: 300 }, () => `${second}${'y\n'.repeat(100)}\n`)
  const entries = await read(lie + more.join(''), { size: 1_000, maxBytes: 20_000 })
  expect(entries).toHaveLength(301)
  expect(entries.every(({ content }) => content !== null)).toBe(true)
})

test.each<[string, Record<string, unknown>]>([
  ['Status: RO', { isRead: true }],
  ['Status: O', { isRead: false }],
  ['X-Status: AF\nStatus: RO', { isAnswered: true, isStarred: true }],
  ['X-Status: D', { isGone: true }],
  ['X-Status: T', { folders: [{ role: 'drafts' }] }],
  ['X-Mozilla-Status: 0005', { isRead: true, isStarred: true }],
  ['X-Mozilla-Status: 0000', { isRead: false }],
  ['X-Mozilla-Status: 0009', { isGone: true }],
  ['Subject: nothing said', { isRead: true, isStarred: false, folders: [] }],
  [
    'X-Gmail-Labels: Inbox,Unread,Starred',
    { isRead: false, isStarred: true, folders: [{ role: 'inbox' }, { role: 'archive' }] },
  ],
  [
    'X-Gmail-Labels: Sent,Opened',
    { isRead: true, folders: [{ role: 'sent' }, { role: 'archive' }] },
  ],
  [
    'X-Gmail-Labels: Archived,Important,"Category updates",Opened',
    { folders: [{ role: 'archive' }] },
  ],
  [
    'X-Gmail-Labels: =?UTF-8?Q?Gro=C3=9Fe_Pl=C3=A4ne,Unread?=',
    { isRead: false, folders: [{ name: 'Große Pläne' }, { role: 'archive' }] },
  ],
  [
    'X-Gmail-Labels: Inbox,Spam,Bills',
    { folders: [{ role: 'junk' }, { role: 'inbox' }, { name: 'Bills' }, { role: 'archive' }] },
  ],
])('%s', async (fields, expected) => {
  const [entry] = await read(`From a@b.example ${date}\nTo: x\n${fields}\n\nx\n`)
  expect(entry && unpackMessage(entry)).toMatchObject(expected)
})

test.each([
  [
    'Received: from x by y; Fri, 20 Nov 2026 10:00:00 +0100 (CET)\nDate: Mon, 1 Jan 2001 00:00:00 +0000',
    '2026-11-20T09:00:00.000Z',
  ],
  ['Received: from x\n by y;\n Fri, 20 Nov 2026 10:00:00 -0000', '2026-11-20T10:00:00.000Z'],
  ['Received: by y; nonsense\nDate: 20 Nov 2026 10:00 GMT', '2026-11-20T10:00:00.000Z'],
  ['Date: nonsense', '2026-11-19T09:00:00.000Z'],
  ['Date: Thu, 1 Jan 1970 00:00:00 +0000', '2026-11-19T09:00:00.000Z'],
])('the date of %s', async (fields, expected) => {
  const [entry] = await read(`From a@b.example ${date}\n${fields}\n\nx\n`)
  expect(entry && unpackMessage(entry)?.date?.toISOString()).toBe(expected)
})

test('a date before there was mail is none', async () => {
  const [entry] = await read('From a@b.example Tue Jan  1 00:00:00 1901\nTo: x\n\nx\n')
  expect(entry && unpackMessage(entry)).toMatchObject({ date: null })
})

test('what is no mbox is known by its start', () => {
  for (const start of ['From a', '\n\r\nFrom a', 'Subject: x'])
    expect(isMessageStart(Buffer.from(start))).toBe(true)
  for (const start of ['PK\x03\x04', '<html>', '', 'Dear all,\n'])
    expect(isMessageStart(Buffer.from(start))).toBe(false)
})

test('a file made to keep the reader busy does not', async () => {
  const hostile = [
    'From '.repeat(200_000),
    '\nFrom a@b\n'.repeat(50_000),
    `${first}${'>From x\n'.repeat(100_000)}`,
    `From a\nContent-Length: 1\n${'x: y\n'.repeat(150_000)}`,
    '\n'.repeat(900_000),
  ]
  for (const file of hostile) {
    const ms = await computingMsOf(async () => {
      for (const entry of await read(file)) unpackMessage(entry)
    })
    expect(ms, file.slice(0, 20)).toBeLessThan(3_000)
  }
})

test('lines that might be separators leave others their turn', async () => {
  const file = `${first}${'From x\n'.repeat(50_000)}`
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await setImmediate()
  })()
  expect(await read(file, { size: 4_000_000 })).toHaveLength(1)
  isOver = true
  await others
  expect(turns).toBeGreaterThan(50)
})

test('every kind of line end becomes one', () => {
  const text = '\r\r\n\n\na\rb\nc\r\n\r\r'
  const mended = withCrlf(Buffer.from(text)).toString()
  expect(mended).toBe(text.replace(/\r\n|\r|\n/g, '\r\n'))
})
