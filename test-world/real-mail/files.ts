/** Mails with attachments, in every encoding that programs use. */
import {
  bytes,
  END,
  LETTER,
  type MailKind,
  MIXED,
  mail,
  part,
  utf8,
  withFile,
} from './mail-kind.ts'

const crlfText = bytes('first line\r\nsecond line, no end')
/** Bytes that an 8bit part may contain: no NUL, no bare CR or LF. */
const eightBit = Buffer.concat([
  bytes('%PDF-1.4\r\n'),
  Buffer.from(Array.from({ length: 255 }, (_, n) => n + 1).filter((n) => n !== 10 && n !== 13)),
  bytes('\r\n\r\ntrailer\r\n'),
])
const binary = Buffer.from(Array.from({ length: 700 }, (_, n) => (n * 37) % 256))
const base64 = binary.toString('base64')
const wrapped = base64.replace(/(.{76})/g, '$1\r\n')
const named = (type: string, name: string, encoding: string) =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Disposition: attachment; filename="${name}"`

const uuencoded = (content: Buffer): string => {
  const letter = (value: number) => String.fromCharCode(value === 0 ? 96 : value + 32)
  const lines = []
  for (let at = 0; at < content.length; at += 45) {
    const line = content.subarray(at, at + 45)
    let text = letter(line.length)
    for (let n = 0; n < line.length; n += 3) {
      const group = ((line[n] ?? 0) << 16) | ((line[n + 1] ?? 0) << 8) | (line[n + 2] ?? 0)
      text += [18, 12, 6, 0].map((shift) => letter((group >> shift) & 63)).join('')
    }
    lines.push(text)
  }
  return ['begin 644 data.bin', ...lines, '`', 'end'].join('\r\n')
}

const inner = bytes(
  'From: Ina <ina@example.org>\r\nTo: sam@example.net\r\nSubject: The first plan\r\nDate: Fri, 20 Nov 2026 23:30:00 -0500\r\n\r\nAs we said.\r\n',
)
const nested = Buffer.concat([
  bytes(
    'From: Mid <mid@example.org>\r\nSubject: Fwd: The first plan\r\nDate: Sat, 21 Nov 2026 09:05:00 +0530\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n--c\r\nContent-Type: message/rfc822\r\n\r\n',
  ),
  inner,
  bytes('\r\n--c--'),
])
const invitation = utf8(
  'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Jause für alle\r\nEND:VCALENDAR\r\n\r\n',
)

const kind = (name: string, raw: Buffer, more: Partial<MailKind>): MailKind => ({
  ...{ name, raw, subject: 'A letter', says: ['Here it is.'], files: [] },
  ...more,
})

export const mailsWithFiles: readonly MailKind[] = [
  kind('a text file in 7bit', withFile(named('text/plain', 'notes.txt', '7bit'), crlfText), {
    files: [['notes.txt', crlfText]],
    saysNot: ['first line'],
  }),
  kind('a PDF in 8bit', withFile(named('application/pdf', 'plan.pdf', '8bit'), eightBit), {
    files: [['plan.pdf', eightBit]],
  }),
  kind('a file without an encoding', withFile(named('a/b', 'raw.dat', 'binary'), eightBit), {
    files: [['raw.dat', eightBit]],
  }),
  kind(
    'a file in quoted-printable',
    withFile(
      named('text/x-diff', 'a.diff', 'quoted-printable'),
      'Gr=C3=BC=C3=9Fe =\r\nan alle = \r\n!\r\n-=0Aend=20',
    ),
    { files: [['a.diff', utf8('Grüße an alle !\r\n-\nend ')]] },
  ),
  kind('a file in base64', withFile(named('a/b', 'data.bin', 'base64'), wrapped), {
    files: [['data.bin', binary]],
  }),
  kind(
    'a file in base64 of two parts, without its last padding, and with a footer of a list',
    withFile(
      named('a/b', 'data.bin', 'base64'),
      `${binary.subarray(0, 100).toString('base64')}\r\n${binary.subarray(100).toString('base64').replace(/=+$/, '')}\r\n-~*\r\n`,
    ),
    { files: [['data.bin', binary]] },
  ),
  kind(
    'a file that is said to be base64 and is not',
    withFile(named('text/plain', 'a.txt', 'base64'), 'Not encoded, at all.'),
    { files: [['a.txt', bytes('Not encoded, at all.')]] },
  ),
  kind(
    'a file in x-uuencode',
    withFile(named('a/b', 'data.bin', 'x-uuencode'), uuencoded(binary)),
    {
      files: [['data.bin', binary]],
    },
  ),
  kind(
    'a signed letter',
    mail(
      MIXED,
      part('Content-Type: text/plain', 'Here it is.'),
      part('Content-Type: application/pgp-signature', '-----BEGIN\r\nx\r\n-----END-----\r\n'),
      END,
    ),
    {
      files: [['signature.asc', bytes('-----BEGIN\r\nx\r\n-----END-----\r\n')]],
    },
  ),
  kind(
    'an empty file, and one of line ends alone',
    mail(
      MIXED,
      LETTER,
      part(named('a/b', 'empty', '7bit'), ''),
      part(named('a/b', 'lines', '7bit'), '\r\n\r\n'),
      END,
    ),
    {
      files: [
        ['empty', bytes('')],
        ['lines', bytes('\r\n\r\n')],
      ],
    },
  ),
  kind(
    'a log that is named and not attached',
    mail(
      MIXED,
      LETTER,
      part('Content-Type: text/plain; name=server.log', 'ERROR 1\r\n'),
      part(
        'Content-Type: text/html; name="report.html"\r\nContent-Disposition: inline; filename="report.html"',
        '<p>ERROR 2</p>',
      ),
      END,
    ),
    {
      files: [
        ['server.log', bytes('ERROR 1\r\n')],
        ['report.html', bytes('<p>ERROR 2</p>')],
      ],
      saysNot: ['ERROR'],
    },
  ),
  kind(
    'a mail that is one named text',
    mail({ 'Content-Type': 'text/plain; name=scan.txt' }, 'Scanned.\r\n'),
    {
      says: ['Scanned.'],
      files: [['scan.txt', bytes('Scanned.\r\n')]],
    },
  ),
  kind(
    'a mail that is one PDF',
    mail(
      { 'Content-Type': 'application/pdf; name=fax.pdf', 'Content-Transfer-Encoding': '8bit' },
      eightBit,
    ),
    {
      says: [],
      files: [['fax.pdf', eightBit]],
    },
  ),
  kind(
    'a mail that was attached',
    mail(MIXED, LETTER, part('Content-Type: message/rfc822', inner), END),
    {
      says: ['Here it is.', 'As we said.', 'Nov 20, 2026, 11:30 PM -05:00'],
      files: [['The first plan.eml', inner]],
    },
  ),
  kind(
    'a mail that was forwarded twice',
    mail(
      MIXED,
      LETTER,
      part('Content-Type: message/rfc822\r\nContent-Disposition: inline', nested),
      END,
    ),
    {
      says: ['See below.', 'As we said.', 'Nov 21, 2026, 9:05 AM +05:30'],
      files: [
        ['Fwd_ The first plan.eml', nested],
        ['The first plan.eml', inner],
      ],
    },
  ),
  kind(
    'an invitation',
    mail(
      { 'Content-Type': 'multipart/alternative; boundary=b' },
      LETTER,
      part('Content-Type: text/html', '<p>Here it is.</p>'),
      part('Content-Type: text/calendar; method=REQUEST', invitation),
      END,
    ),
    { files: [['invitation.ics', invitation]] },
  ),
  kind(
    'what Outlook wraps its files in',
    withFile(named('application/ms-tnef', 'winmail.dat', 'base64'), base64),
    {
      files: [['winmail.dat', binary]],
    },
  ),
  kind(
    'names as they are written',
    mail(
      MIXED,
      LETTER,
      part(
        "Content-Type: a/b\r\nContent-Disposition: attachment; filename*0*=utf-8''Gr%C3; filename*1*=%BC%C3%9Fe.txt",
        '1',
      ),
      part('Content-Type: a/b; name="=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe.txt?="', '2'),
      part(
        'Content-Type: a/b\r\nContent-Disposition: attachment; filename="a\tb/../c\u202egnp.exe"',
        '3',
      ),
      part('Content-Type: a/b\r\nContent-Disposition: attachment; filename="\u200b "', '4'),
      END,
    ),
    {
      files: [
        ['Grüße.txt', bytes('1')],
        ['Grüße.txt', bytes('2')],
        ['a_b_.._c_gnp.exe', bytes('3')],
        ['attachment-4', bytes('4')],
      ],
    },
  ),
]
