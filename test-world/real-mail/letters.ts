/** Mails with everything else that programs get wrong; few have attachments. */
import { bytes, END, type MailKind, MIXED, mail, part, utf8 } from './mail-kind.ts'

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }
const kind = (name: string, raw: Buffer, more: Partial<MailKind> = {}): MailKind => ({
  ...{ name, raw, subject: 'A letter', says: ['Hello'], files: [] },
  ...more,
})
const hello = (header: Record<string, string | Buffer>) => mail({ ...TEXT, ...header }, 'Hello\r\n')
const long = 'x'.repeat(120)

const subjects: readonly MailKind[] = [
  kind(
    'a subject folded with a tab',
    hello({
      Subject: 'Report Domain: example.com\r\n\tSubmitter: example.org\r\n\tReport-ID: <1>',
    }),
    {
      subject: 'Report Domain: example.com Submitter: example.org Report-ID: <1>',
    },
  ),
  kind(
    'line ends in an encoded word',
    hello({ Subject: '=?utf-8?Q?One=0D=0ATwo=0AThree=E2=80=A8Four?=' }),
    {
      subject: 'One Two Three Four',
    },
  ),
  kind(
    'a subject of 1,100 characters',
    hello({
      Subject: Array.from({ length: 9 }, () => long)
        .join('\r\n ')
        .concat('\r\n end'),
    }),
    {
      subject: Array.from({ length: 9 }, () => long)
        .join(' ')
        .slice(0, 900)
        .trim(),
    },
  ),
  kind(
    'a subject that nobody sees',
    hello({
      Subject: '=?utf-8?Q?=E2=80=8B=20=C2=A0=E2=81=A0?=',
      From: '"\u200b \u00ad" <sender@example.net>',
    }),
    {
      subject: '',
      from: '',
    },
  ),
  kind('a subject like an encoded word that is none', hello({ Subject: '=?utf-8?b?not' }), {
    subject: '=?utf-8?b?not',
  }),
  kind(
    'a character split over two encoded words',
    hello({
      Subject: '=?utf-8?B?R3LD?=\r\n =?utf-8?B?vMOfZQ==?= =?UTF-8?Q?_=F0=9F?= =?utf-8?Q?=8E=89?=',
    }),
    {
      subject: 'Grüße 🎉',
    },
  ),
  kind(
    'bytes inside of an encoded word',
    hello({ Subject: bytes('=?iso-8859-1?Q?Caf\xe9_und_Tee?=') }),
    {
      subject: 'Café und Tee',
    },
  ),
  kind(
    'a subject in windows-1252 without a label',
    hello({ Subject: bytes('Gr\xfc\xdfe \x96 f\xfcr alle') }),
    {
      subject: 'Grüße – für alle',
    },
  ),
  kind('a subject in raw UTF-8, from right to left', hello({ Subject: 'שלום 👩‍👩‍👧 עולם' }), {
    subject: 'שלום 👩‍👩‍👧 עולם',
  }),
  kind('an encoded word of an unknown charset', hello({ Subject: '=?x-what?Q?Hello?=' }), {
    subject: 'Hello',
  }),
]

const people: readonly MailKind[] = [
  kind('a name with a line end', hello({ From: '=?utf-8?Q?Ann=0D=0ABcc:_x?= <ann@example.net>' }), {
    from: 'Ann Bcc: x',
    answersTo: 'ann@example.net',
  }),
  kind(
    'a name like an encoded word',
    hello({ From: '"=?utf-8?Q?=3D=3Futf-8=3Fb=3F////=3F=3D?=" <ann@example.net>' }),
    {
      from: '= ?utf-8?b?////?=',
      answersTo: 'ann@example.net',
    },
  ),
  kind('an address in Chinese', hello({ From: '用户 <用户@例え.テスト>' }), {
    from: '用户',
    answersTo: '用户@例え.テスト',
  }),
  kind('a quoted local part', hello({ From: 'Ann B <"ann b"@example.net>' }), {
    from: 'Ann B',
    answersTo: '"ann b"@example.net',
  }),
  kind('no Date, no To, no Message-ID', hello({ Date: '', To: '', 'Message-ID': '' })),
  kind(
    'two subjects and two dates',
    Buffer.concat([bytes('Subject: The first\r\nDate: x\r\n'), hello({})]),
    { subject: 'The first' },
  ),
  kind(
    'a group of nobody',
    hello({ To: 'undisclosed-recipients:;', Cc: 'Team: a@example.org, "B, C" <b@example.org>;' }),
  ),
]

const charsets: readonly MailKind[] = [
  kind(
    'UTF-8 that is said to be us-ascii',
    mail(
      { 'Content-Type': 'text/plain; charset=us-ascii', 'Content-Transfer-Encoding': '8bit' },
      'Grüße, 你好\r\n',
    ),
    {
      says: ['Grüße, 你好'],
    },
  ),
  kind('UTF-8 without a label', mail({}, 'Grüße\r\n'), { says: ['Grüße'] }),
  kind('windows-1252 without a label', mail({}, bytes('Gr\xfc\xdfe \x80 5\r\n')), {
    says: ['Grüße € 5'],
  }),
  kind(
    'a charset in <meta> alone',
    mail(
      { 'Content-Type': 'text/html' },
      bytes(
        '<html><head><meta charset="koi8-r"></head><body><p>\xf0\xd2\xc9\xd7\xc5\xd4</p></body></html>\r\n',
      ),
    ),
    {
      says: ['Привет'],
    },
  ),
  kind(
    'a charset that nobody knows',
    mail({ 'Content-Type': 'text/plain; charset=x-none' }, bytes('Gr\xfc\xdfe\r\n')),
    { says: ['Grüße'] },
  ),
  kind('Japanese as it was sent in 1995', mail({}, bytes('\x1b$B$3$s$K$A$O\x1b(B\r\n')), {
    says: ['こんにちは'],
  }),
]

const broken = '--nope\r\nContent-Type: text/plain\r\n\r\nThe only words\r\n--nope--\r\n'
const structures: readonly MailKind[] = [
  kind('a multipart without a boundary', mail({ 'Content-Type': 'multipart/mixed' }, broken), {
    says: ['The only words'],
    isSource: true,
  }),
  kind(
    'a multipart whose boundary never comes',
    mail({ 'Content-Type': 'multipart/alternative; boundary=other' }, broken),
    {
      says: ['The only words'],
      isSource: true,
    },
  ),
  kind('a multipart that was cut', mail(MIXED, part('Content-Type: text/plain', 'Hello')), {}),
  kind('a type that is no type', mail({ 'Content-Type': 'text' }, 'Hello\r\n')),
  kind('text of another type', mail({ 'Content-Type': 'text/markdown' }, '# Hello\r\n'), {
    files: [['attachment-1', bytes('# Hello\r\n')]],
  }),
  kind('nothing at all', mail({}), { says: [] }),
  kind(
    'one version that can be read',
    mail(
      { 'Content-Type': 'multipart/alternative; boundary=b' },
      part('Content-Type: text/x-unknown', 'Hello'),
      END,
    ),
    {
      files: [['attachment-1', bytes('Hello')]],
    },
  ),
  kind(
    'text that flows',
    mail({ 'Content-Type': 'text/plain; format=flowed; delsp=yes' }, 'Hello and \r\n go on\r\n'),
    { says: ['Hello andgo on'] },
  ),
  kind('a line of 900 characters', mail(TEXT, `Hello ${'word '.repeat(178)}\r\n`)),
  kind(
    'letters with text and HTML one after the other',
    mail(
      MIXED,
      part('Content-Type: text/plain', 'Hello <you>'),
      part('Content-Type: text/html', '<p>and <b>you</b></p>'),
      END,
    ),
    {
      says: ['Hello', 'and'],
    },
  ),
  kind('text from right to left', mail(TEXT, utf8('Hello שלום\r\n'))),
]

export const letters: readonly MailKind[] = [...subjects, ...people, ...charsets, ...structures]
