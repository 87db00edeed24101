import type { Email } from 'postal-mime'
import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { parseMessage } from '../message-text.ts'
import { readAttachments, readDigest, readOpened, readTwinOfHtml } from './read-message.ts'
import { readingJobs } from './reading-jobs.ts'

const header = 'From: Eve <eve@example.net>\r\nSubject: Look\r\nMIME-Version: 1.0\r\n'
const html = `${header}Content-Type: text/html\r\n\r\n`
const mixed = `${header}Content-Type: multipart/mixed; boundary=b\r\n\r\n`
/** Each would keep a parser busy for half a minute or longer. */
const bombs = {
  'closing tags that never opened': `${html}${'<i>'.repeat(160_000)}${'</b>'.repeat(120_000)}`,
  'nested lists': `${html}${'<ul><li>'.repeat(120_000)}`,
  'half links in two parts': `${mixed}--b\r\nContent-Type: text/html\r\n\r\n${'<a href='.repeat(110_000)}\r\n--b\r\n\r\nx\r\n--b--`,
}

test.each(Object.entries(bombs))('%s hold nobody up', async (_name, text) => {
  // In this thread: what a bomb takes of another one holds nobody up.
  const ms = await computingMsOf(async () => {
    expect(await readDigest(Buffer.from(text), 'us')).toMatchObject({
      subject: 'Look',
      from: { address: 'eve@example.net' },
    })
  })
  expect(ms).toBeLessThan(1_000)
})

test('a large message is read as a small one is', async () => {
  const content = Buffer.alloc(300_000, 7)
  const raw = Buffer.from(
    `${mixed}--b\r\nContent-Type: text/plain\r\n\r\nHello there\r\n--b\r\nContent-Type: image/png; name="../a.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n--b--\r\n`,
  )
  expect(raw.length).toBeGreaterThan(400_000)
  expect(await readDigest(raw, 'us')).toMatchObject({
    preview: 'Hello there',
    hasAttachments: true,
  })
  expect(await readOpened(raw, 'us')).toMatchObject({
    text: 'Hello there\n',
    attachments: [{ n: 0, filename: '.._a.png', contentType: 'image/png', size: 300_000 }],
  })
  expect(await readAttachments(Buffer.from(raw), [0, 1], 'us')).toBe(null)
  const [attachment] = (await readAttachments(raw, [0], 'us')) ?? []
  expect(content.equals(attachment?.content ?? Buffer.alloc(0))).toBe(true)
  // The buffer was transferred to the thread.
  expect(raw.length).toBe(0)
})

test('a message of boundaries alone lists no more attachments than anybody reads', async () => {
  const part = '--b\r\nContent-Type: a/b\r\nContent-Disposition: attachment\r\n\r\n\r\n'
  const { attachments } = await readOpened(
    Buffer.from(`${mixed}${part.repeat(3_000)}--b--\r\n`),
    'us',
  )
  expect(attachments.length).toBeLessThanOrEqual(1_000)
})

test('a message whose structure cannot be read keeps its place in the list', async () => {
  const part = '--b\r\nContent-Type: a/b\r\n\r\n\r\n'
  const digest = await readDigest(Buffer.from(mixed + part.repeat(30_000)), 'us')
  expect(digest).toMatchObject({ subject: 'Look', from: { address: 'eve@example.net' } })
})

test('text is made of large HTML too', async () => {
  expect(await readTwinOfHtml(`<p>Hello</p>${'<p>x</p>'.repeat(10_000)}`, 'us')).toMatch(/^Hello\n/)
})

test('the parts of a bounce have names that say what they are', async () => {
  const part = (type: string, more = '') => `--b\r\nContent-Type: ${type}\r\n${more}\r\nx: y\r\n`
  const bounce = (...parts: string[]) =>
    Buffer.from(
      `${header}Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n${part('text/plain')}${parts.join('')}--b--\r\n`,
    )
  const names = async (raw: Buffer) =>
    (await readOpened(raw, 'us')).attachments.map(({ filename }) => filename)
  const report = part('message/delivery-status')
  expect(
    await names(bounce(report, part('message/rfc822', 'Content-Disposition: attachment\r\n'))),
  ).toEqual(['delivery-report.txt', 'original-message.eml'])
  expect(
    await names(bounce(report, part('text/rfc822-headers', 'Content-Disposition: attachment\r\n'))),
  ).toEqual(['delivery-report.txt', 'headers-of-original-message.txt'])
  const file = 'Content-Disposition: attachment\r\n'
  expect(
    await names(
      bounce(part('message/rfc822', file), part('application/x-y', file), part('image/png', file)),
    ),
  ).toEqual(['message.eml', 'attachment-2', 'attachment-3.png'])
})

test('of thousands of parts the first are read; lines of text that begin with dashes are no parts', async () => {
  const hello = '--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n'
  const parts = hello + '--b\r\nContent-Type: a/b\r\n\r\n'.repeat(20_000)
  const read = await readingJobs.opened(Buffer.from(`${mixed}${parts}--b--\r\n`))
  expect(read).toMatchObject({ text: 'Hello\n' })
  const { attachments } = (await parseMessage(Buffer.from(`${mixed}${parts}--b--\r\n`))) as Email
  expect(attachments.length).toBeGreaterThan(2_900)
  expect(attachments.length).toBeLessThanOrEqual(3_000)
  const dump = `${mixed}--b\r\nContent-Type: text/plain\r\n\r\n${'-- a comment\r\n'.repeat(20_000)}the end\r\n--b--\r\n`
  expect((await readingJobs.opened(Buffer.from(dump))).text).toMatch(/a comment\nthe end\n$/)
})

test('whoever has many large messages read at once waits for themselves, and nobody else does', async () => {
  const file = (bytes: number) =>
    Buffer.from(
      `${mixed}--b\r\nContent-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUFB'
        .repeat(18)
        .concat('\r\n')
        .repeat(bytes / 74)}--b--\r\n`,
    )
  const [large, usual] = [file(8_000_000), file(40_000)]
  // Waits until both threads run.
  await Promise.all([readOpened(usual, 'a'), readOpened(usual, 'b')])
  const ended: string[] = []
  const read = (raw: Buffer, by: string) => readOpened(raw, by).then(() => ended.push(by))
  const theirs = Array.from({ length: 6 }, () => read(large, 'them'))
  await read(usual, 'us')
  expect(ended.length).toBeLessThan(4)
  await Promise.all(theirs)
})
