import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readStructure } from '../mime/structure/read-structure.ts'
import { isComplaint, readFeedbackReport } from './feedback-report.ts'

const read = (text: string | Uint8Array) => {
  const raw = Buffer.from(typeof text === 'string' ? text.replaceAll('\n', '\r\n') : text)
  return readFeedbackReport(raw, readStructure(raw))
}

/** The example of RFC 5965, appendix B.2. */
const full = `From: <abusedesk@example.com>
Date: Thu, 8 Mar 2005 17:40:36 EDT
Subject: FW: Earn money
To: <abuse@example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
 boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message received from IP
192.0.2.1 on Thu, 8 Mar 2005 14:00:00 EDT.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <somespammer@example.net>
Original-Rcpt-To: <user@example.com>
Arrival-Date: Thu, 8 Mar 2005 14:00:00 EDT
Reporting-MTA: dns; mail.example.com
Source-IP: 192.0.2.1
Reported-Domain: example.net

--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

Received: from mailserver.example.net
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=Example.net;
 s=ms1; bh=d=evil.example; b=abc
DKIM-Signature: v=1; a=rsa-sha256;
 d=esp.example ; s=x; b=abc
From: "Some, Spammer" <SomeSpammer@example.net>
To: <Undisclosed Recipients>
Subject: Earn money
Message-ID: <8787KJKJ3K4J3K4J3K4J3.mail@example.net>
Date: Thu, 02 Sep 2004 12:31:03 -0500

Spam Spam Spam
Message-ID: <fake@example.net>
--part1_13d.2e68ed54_boundary--
`

describe('a feedback report', () => {
  test('names the mail that it is about', () => {
    expect(read(full)).toEqual({
      type: 'abuse',
      recipient: 'user@example.com',
      original: {
        messageId: '8787KJKJ3K4J3K4J3K4J3.mail@example.net',
        senders: ['somespammer@example.net'],
        signers: ['example.net', 'esp.example'],
      },
    })
  })

  test('may have the header of the mail alone, and hide who complained', () => {
    const headers = full
      .replace('message/rfc822', 'text/rfc822-headers')
      .replace(/Original-.*\n/g, '')
      .replace('inline\n', 'inline\n\n')
    expect(read(headers)).toMatchObject({
      recipient: '',
      original: {
        messageId: expect.stringMatching(/^8787/),
        signers: ['example.net', 'esp.example'],
      },
    })
  })

  test('without the mail still has its sender', () => {
    const [short = ''] = full.split('--part1_13d.2e68ed54_boundary\nContent-Type: message/rfc822')
    expect(read(`${short}--part1_13d.2e68ed54_boundary--\n`)).toMatchObject({
      original: { messageId: '', senders: ['somespammer@example.net'], signers: [] },
    })
  })

  test.each([
    ['abuse', true],
    ['FRAUD', true],
    ['virus', true],
    ['opt-out', true],
    ['x-new', true],
    ['not-spam', false],
    ['auth-failure', false],
  ])('of the type %s is a complaint: %s', (type, expected) => {
    const report = read(full.replace('Feedback-Type: abuse', `Feedback-Type: ${type}`))
    expect(report && isComplaint(report)).toBe(expected)
  })

  test.each([
    ['another report', full.replace('report-type=feedback-report', 'report-type=delivery-status')],
    ['no report', full.replace('multipart/report', 'multipart/mixed')],
    ['a report without its fields', full.replace('message/feedback-report', 'text/plain')],
    ['a report without a type', full.replace('Feedback-Type: abuse\n', '')],
    ['a letter', 'Subject: x\n\nFeedback-Type: abuse\n'],
    ['nothing', ''],
  ])('is not %s', (_, text) => {
    expect(read(text)).toBe(null)
  })
})

test('whatever is changed in a report, what is read is short, on one line and lower case', () => {
  const source = Buffer.from(full.replaceAll('\n', '\r\n'))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(source.length - 1), fc.uint8Array({ maxLength: 12 })), {
        maxLength: 8,
      }),
      (changes) => {
        let raw = source
        for (const [at, bytes] of changes)
          raw = Buffer.concat([raw.subarray(0, at), bytes, raw.subarray(at + 2)])
        const report = read(raw)
        if (report === null) return
        const { type, recipient, original } = report
        const texts = [
          type,
          recipient,
          original.messageId,
          ...original.senders,
          ...original.signers,
        ]
        for (const text of texts) {
          expect(text.length).toBeLessThan(255)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be in it
          expect(text).not.toMatch(/[\u0000-\u001f]/)
        }
        for (const text of [type, ...original.senders, ...original.signers])
          expect(text).toBe(text.toLowerCase())
      },
    ),
  )
})

test('a header without an end is read no further than a header is long', () => {
  const [start = '', rest = ''] = full.split('Received: from')
  const long = `${start}${'X-Long: x\n'.repeat(200_000)}Received: from${rest}`
  expect(read(long)).toMatchObject({ type: 'abuse', original: { messageId: '' } })
})
