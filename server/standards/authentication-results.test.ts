import { describe, expect, test } from 'vitest'
import { signersIn, withoutForgedResults } from './authentication-results.ts'
import { headerLinesOf } from './message-lines.ts'

const before = 'Received: from a by b\r\n'
const after =
  'From: a@example.net\r\nSubject: x\r\n\r\nAuthentication-Results: mail.host.example; in the text\r\n'
const left = (field: string, own = 'mail.host.example') =>
  withoutForgedResults(Buffer.from(`${before}${field}\r\n${after}`), own).toString()

describe('what bears our name is taken out, and nothing else changes', () => {
  test.each([
    'Authentication-Results: mail.host.example; spf=pass',
    'authentication-results:mail.host.example;spf=pass',
    'AUTHENTICATION-RESULTS: MAIL.Host.EXAMPLE; dkim=pass',
    'Authentication-Results : mail.host.example; spf=pass',
    'Authentication-Results\t: mail.host.example; spf=pass',
    'Authentication-Results:\r\n mail.host.example;\r\n\tspf=pass',
    'Authentication-Results:\r\n\t \r\n mail.host.example; spf=pass',
    'Authentication-Results: mail.host.example 1; spf=pass',
    'Authentication-Results: mail.host.example\t; none',
    'Authentication-Results: mail.host.example',
    'Authentication-Results: mail.host.example.; spf=pass',
    'Authentication-Results: (a comment) mail.host.example; spf=pass',
    'Authentication-Results: (a (nested) \\) one)\r\n (and another) mail.host.example(third); none',
    'Authentication-Results: ("quoted in a comment) mail.host.example; spf=pass',
    'Authentication-Results: ; mail.host.example',
    'Authentication-Results: (never closed mail.host.example; spf=pass',
    'Authentication-Results: "mail.host.example"; spf=pass',
    'Authentication-Results: "MAIL.host.example" 1; spf=pass',
    'Authentication-Results: "mail\\.host.exam\\ple"; spf=pass',
  ])('%j', (field) => {
    expect(left(field)).toBe(before + after)
  })

  test('in Unicode or as A-labels, whichever MAIL_HOST is written in', () => {
    for (const own of ['xn--mller-kva.example', 'müller.example'])
      for (const shown of [
        'müller.example',
        'MÜLLER.example',
        'xn--mller-kva.example',
        '"müller.example."',
      ])
        expect(left(`Authentication-Results: ${shown}; spf=pass`, own)).toBe(before + after)
  })

  test('every one of many, at the very top and at the end of the header', () => {
    const forged = 'Authentication-Results: mail.host.example; spf=pass\r\n'
    const raw = `${forged}${forged}${before}${forged}From: a@example.net\r\n${forged}\r\nx\r\n`
    expect(withoutForgedResults(Buffer.from(raw), 'mail.host.example').toString()).toBe(
      `${before}From: a@example.net\r\n\r\nx\r\n`,
    )
  })
})

test.each([
  'Authentication-Results: mail.other.example; spf=pass',
  'Authentication-Results: mail.host.example.evil.example; spf=pass',
  'Authentication-Results: evil.mail.host.example; spf=pass',
  'Authentication-Results: (mail.host.example) mail.other.example; spf=pass',
  'Authentication-Results: "(" mail.host.example; spf=pass',
  'Authentication-Results:',
  'ARC-Authentication-Results: i=1; mail.host.example; spf=pass',
  'X-Authentication-Results: mail.host.example; spf=pass',
])('others stay: %j', (field) => {
  expect(left(field)).toBe(`${before}${field}\r\n${after}`)
})

test('who signed, by our own word alone', () => {
  const header = headerLinesOf(
    Buffer.from(
      [
        'Authentication-Results: mx.example;\r\n dkim=pass header.i=@Mail.Navy.example header.s=a header.b="x";',
        ' dkim=fail (bad; dkim=pass header.d=no.example) header.i=@bad.example header.s=b;',
        ' spf=pass smtp.mailfrom=a@c.example',
        'Authentication-Results: other.example; dkim=pass header.d=evil.example',
        '',
        '',
      ].join('\r\n'),
    ),
  )
  expect(signersIn(header, 'MX.example')).toEqual(['mail.navy.example'])
})
