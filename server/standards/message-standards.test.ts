import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '#test-world/any-character.ts'
import { computingMsOf } from '#test-world/processor-time.ts'
import { withoutForgedResults } from './authentication-results.ts'
import { attachmentDisposition } from './content-disposition.ts'
import { dkimSign } from './dkim-sign.ts'
import { replyHeaders } from './message-headers.ts'
import { headerLinesOf, lineFaultIn, withCrlf } from './message-lines.ts'
import { parseMessage } from './message-text.ts'
import { writeMessage } from './message-writer.ts'
import { nextAttemptAt } from './retry-schedule.ts'

const lines = fc.array(fc.constantFrom('a', ' ', '\t', '\r\n', '\r', '\n', '.', 'ü'), {
  maxLength: 60,
})

describe('line ends', () => {
  test('faults are found wherever they are, and mended', () => {
    fc.assert(
      fc.property(lines, (parts) => {
        const text = parts.join('')
        const raw = Buffer.from(text)
        const hasFault = /(^|[^\r])\n|\r(?!\n)/.test(text)
        expect(lineFaultIn(raw, 1_000) !== null).toBe(hasFault)
        const mended = withCrlf(raw)
        expect(lineFaultIn(mended, 1_000)).toBe(null)
        expect(mended.toString().endsWith('\r\n')).toBe(true)
        if (!hasFault && text.endsWith('\r\n')) expect(mended.equals(raw)).toBe(true)
      }),
    )
    expect(lineFaultIn(Buffer.from('a\0b'), 10)).toBe('nul')
    expect(lineFaultIn(Buffer.from('12345678901\r\n'), 10)).toBe('long-line')
  })

  test('header fields know where they start', () => {
    const raw = Buffer.from('A: 1\r\n\tfold\r\nbroken\r\nB : \xe9\r\n\r\nC: body\r\n', 'latin1')
    expect(headerLinesOf(raw).map(({ name, start }) => [name, start])).toEqual([
      ['a', 0],
      ['', 13],
      ['b', 21],
    ])
  })
})

describe('DKIM', () => {
  const keys = {
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ed25519: generateKeyPairSync('ed25519'),
  }
  const pem = (name: 'rsa' | 'ed25519') =>
    keys[name].privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const both = (['rsa', 'ed25519'] as const).map((algorithm) => ({
    selector: algorithm,
    algorithm,
    privateKeyPem: pem(algorithm),
  }))
  const spki = (name: 'rsa' | 'ed25519') =>
    keys[name].publicKey.export({ type: 'spki', format: 'der' })
  const verdicts = async (raw: Buffer) => {
    const { results } = await dkimVerify(raw, {
      resolver: async (name: string) =>
        name.startsWith('rsa.')
          ? [[`v=DKIM1; k=rsa; p=${spki('rsa').toString('base64')}`]]
          : [[`v=DKIM1; k=ed25519; p=${spki('ed25519').subarray(-32).toString('base64')}`]],
    })
    return results.map(({ status }) => status.result)
  }
  const signed = (body: string) =>
    dkimSign(
      Buffer.from(`From: a@example.com\r\nSubject:  x \t y\r\n\tz\r\n\r\n${body}`),
      'example.com',
      both,
      new Date(),
    )

  test('a verifier that did not sign agrees, whatever the body', async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (parts) => {
        expect(await verdicts(signed(parts.join('')))).toEqual(['pass', 'pass'])
      }),
      { numRuns: 60 },
    )
  })

  test('a second From, a changed Subject and a changed body are noticed', async () => {
    const text = signed('hello\r\n').toString()
    for (const changed of [
      `From: evil@example.com\r\n${text}`,
      `Subject: other\r\n${text}`,
      `To: added@example.com\r\n${text}`,
      text.replace('hello', 'hallo'),
      `${text}more\r\n`,
    ])
      expect(await verdicts(Buffer.from(changed))).not.toContain('pass')
  })
})

test('no value breaks out of its header field', async () => {
  const nasty = 'x\r\nBcc: evil@example.com\r\n\r\nbody'
  const raw = await writeMessage({
    from: { name: nasty, address: 'a@example.com' },
    to: [{ name: nasty, address: 'b@example.com' }],
    subject: nasty,
    messageId: 'id@example.com',
    date: new Date(),
    text: 't',
    attachments: [{ filename: nasty, contentType: 'text/plain', content: Buffer.from('x') }],
  })
  const names = headerLinesOf(raw).map(({ name }) => name)
  expect(names).not.toContain('bcc')
  expect(names.filter((name) => name === 'subject')).toHaveLength(1)
  const email = await parseMessage(raw)
  expect(email !== null && email !== 'too-deep' && email.bcc).toBe(undefined)
})

test.each([
  '=?utf-8?b?////?=',
  'Re: =?utf-8?q?a?= and =?x',
  `Grüße =?utf-8?Q?=41?= 🎉 ${'=?a '.repeat(150)}end`,
])('a subject that looks encoded and was typed so is read as it was typed: %s', async (subject) => {
  const raw = await writeMessage({
    ...{ from: { name: '', address: 'a@example.com' }, subject, messageId: 'id@example.com' },
    ...{ date: new Date(), text: 't' },
  })
  expect(raw.toString().match(/^Subject:.*(?:\r\n[ \t].*)*/m)?.[0]).not.toContain('=?utf-8')
  expect(
    Math.max(
      ...raw
        .toString()
        .split('\r\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(80)
  expect(await parseMessage(raw)).toMatchObject({ subject })
})

test('names of people and files that look encoded are read as they were written', async () => {
  const name = '=?utf-8?b?////?='
  const raw = await writeMessage({
    ...{ from: { name, address: 'a@example.com' }, subject: 'x', messageId: 'id@example.com' },
    ...{ date: new Date(), text: 't' },
    attachments: [{ filename: name, contentType: 'a/b', content: Buffer.from('x') }],
  })
  expect(await parseMessage(raw)).toMatchObject({
    from: { name: '= ?utf-8?b?////?=' },
    attachments: [{ filename: name }],
  })
})

test('only results under our own name are forged', () => {
  const strip = (value: string) =>
    withoutForgedResults(
      Buffer.from(`A: 1\r\nAuthentication-Results: ${value}\r\nB: 2\r\n\r\nx`),
      'mx.example.com',
    ).toString()
  for (const forged of [
    'mx.example.com; a',
    ' MX.example.com',
    '(c (d) \\)) mx.example.com 1; a',
    '"mx.example.com"; a',
    '\r\n mx.example.com;\r\n x',
  ])
    expect(strip(forged), forged).toBe('A: 1\r\nB: 2\r\n\r\nx')
  for (const other of ['mx.example.com.evil; a', 'mx.example.org; a', '(mx.example.com) x; a'])
    expect(strip(other), other).toContain('Authentication-Results')
})

test('retries begin within a minute, grow to hours, and end after five days', () => {
  const start = new Date('2026-11-20T12:00:00Z')
  let now = start
  const waits: number[] = []
  for (let attempts = 1; attempts < 1_000; attempts++) {
    const next = nextAttemptAt(start, attempts, now)
    if (next === null) break
    waits.push((next.getTime() - now.getTime()) / 1000)
    now = next
  }
  expect(waits[0]).toBeLessThanOrEqual(60)
  expect(Math.max(...waits)).toBe(4 * 3600)
  expect(now.getTime() - start.getTime()).toBe(5 * 24 * 3_600_000)
  expect(waits.length).toBeLessThan(60)
})

test('an answer keeps the root of the thread and the newest references', () => {
  const long = Array.from({ length: 80 }, (_, n) => `r${n}@x`)
  const reply = replyHeaders({ messageId: 'm@x', inReplyTo: null, references: long })
  expect(reply?.references).toHaveLength(30)
  expect([reply?.references[0], reply?.references.at(-1)]).toEqual(['r0@x', 'm@x'])
  expect(replyHeaders({ messageId: 'm@x', inReplyTo: 'p@x', references: [] })).toEqual({
    inReplyTo: 'm@x',
    references: ['p@x', 'm@x'],
  })
  expect(replyHeaders({ messageId: '', inReplyTo: null, references: [] })).toBe(null)
})

test('a file name stays inside its header parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (name) => {
      expect(attachmentDisposition(name)).toMatch(
        /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[\w.~%-]*$/,
      )
    }),
  )
})

test('two million empty lines are read in seconds', async () => {
  const raw = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(4_000_000, '\r\n')])
  // With one Blob per line this took minutes.
  expect(await computingMsOf(() => parseMessage(raw))).toBeLessThan(10_000)
})
