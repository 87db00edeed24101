import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { type FailedDelivery, writeBounce } from './bounce.ts'

const failed: FailedDelivery = {
  mailHost: 'mail.example.com',
  sender: 'ada@example.com',
  recipient: 'bob@example.net',
  reply: '550-5.1.1 nobody of that name\n550 5.1.1 here',
  isAnswer: true,
  remoteHost: 'mx.example.net',
  isExpired: false,
  queuedAt: new Date('2026-11-20T12:00:00Z'),
  at: new Date('2026-11-20T12:00:05Z'),
  messageId: 'bounce@mail.example.com',
  original: Buffer.from(
    'Message-ID: <one@example.com>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nthe secret body\r\n',
  ),
}

const partsOf = (raw: Buffer): { type: string; encoding: string; text: string }[] => {
  const boundary = /boundary="?([^"\r\n]+)"?/.exec(raw.toString())?.[1] ?? ''
  return raw
    .toString()
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...rest] = part.trimStart().split('\r\n\r\n')
      const of = (name: string) => new RegExp(`^${name}: ([^;\r\n]+)`, 'im').exec(head)?.[1] ?? ''
      return {
        type: of('content-type'),
        encoding: of('content-transfer-encoding'),
        text: rest.join('\r\n\r\n').trimEnd(),
      }
    })
}
const statusFields = async (change: Partial<FailedDelivery> = {}) => {
  const [, status] = partsOf(await writeBounce({ ...failed, ...change }))
  return status?.text.split('\r\n') ?? []
}

describe('a bounce', () => {
  test('is a report of three parts: words, fields, the header of the original and none of its body', async () => {
    const raw = await writeBounce(failed)
    expect(raw.toString()).toMatch(
      /^Content-Type: multipart\/report; report-type=delivery-status;\s+boundary=/im,
    )
    expect(partsOf(raw).map(({ type, encoding }) => [type, encoding])).toEqual([
      ['text/plain', '7bit'],
      ['message/delivery-status', ''],
      ['text/rfc822-headers', '7bit'],
    ])
    expect(partsOf(raw)[2]?.text).toBe(
      'Message-ID: <one@example.com>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
    )
    expect(raw.toString()).not.toContain('secret')
    expect(raw.toString()).not.toMatch(/[^\r]\n/)
  })

  test('is answered by no machine, and stands in the conversation of what it is about', async () => {
    const { headers } = await PostalMime.parse(await writeBounce(failed))
    const of = (name: string) => headers.find(({ key }) => key === name)?.value
    expect(of('auto-submitted')).toBe('auto-replied')
    expect(of('in-reply-to')).toBe('<one@example.com>')
    expect(of('to')).toBe('ada@example.com')
  })

  test('has the fields of RFC 3464, first of the message and then of the recipient', async () => {
    expect(await statusFields()).toEqual([
      'Reporting-MTA: dns; mail.example.com',
      'Arrival-Date: Fri, 20 Nov 2026 12:00:00 +0000',
      '',
      'Final-Recipient: rfc822; bob@example.net',
      'Action: failed',
      'Status: 5.1.1',
      'Remote-MTA: dns; mx.example.net',
      'Diagnostic-Code: smtp; 550-5.1.1 nobody of that name 550 5.1.1 here',
      'Last-Attempt-Date: Fri, 20 Nov 2026 12:00:05 +0000',
    ])
  })

  test('says nothing in the name of a host that was never asked', async () => {
    const fields = await statusFields({
      ...{
        remoteHost: '',
        isAnswer: false,
        reply: '550 5.1.2 The domain gone.example does not exist',
      },
    })
    expect(fields.some((line) => line.startsWith('Remote-MTA'))).toBe(false)
    expect(fields).toContain('Status: 5.1.2')
    expect(fields).toContain(
      'Diagnostic-Code: x-mailstead; 550 5.1.2 The domain gone.example does not exist',
    )
  })

  test('cannot be given fields or letters by what a stranger says', async () => {
    const reply = '550 no\r\nAction: delivered\r\n\r\nStatus: 2.0.0 größe \u0000'
    const fields = await statusFields({ reply })
    expect(fields.filter((line) => line.startsWith('Action:'))).toEqual(['Action: failed'])
    expect(fields).toContain('Diagnostic-Code: smtp; 550 no Action: delivered Status: 2.0.0 gr?e')
    const words = (await PostalMime.parse(await writeBounce({ ...failed, reply }))).text
    expect(words).toContain('größe')
  })

  test.each([
    ['550 5.1.1 unknown', false, '5.1.1', /no such mailbox/],
    ['550 sorry', false, '5.0.0', /refused it for good/],
    ['552 5.2.2 full', false, '5.2.2', /is full/],
    ['554 5.7.1 spam', false, '5.7.1', /rule of its own/],
    ['451 4.7.1 greylisted', true, '5.4.7', /for five days/],
    ['connect ETIMEDOUT', true, '5.4.7', /for five days/],
    ['', true, '5.4.7', /gave no reason/],
  ])('%j, expired %s: %s, in plain words', async (reply, isExpired, status, words) => {
    expect(await statusFields({ reply, isExpired })).toContain(`Status: ${status}`)
    const { text } = await PostalMime.parse(await writeBounce({ ...failed, reply, isExpired }))
    expect(text).toMatch(words)
  })
})
