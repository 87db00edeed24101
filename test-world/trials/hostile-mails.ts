/** Mails that attack their parser. Each is refused, or stored and readable. */

const head = (subject: string) =>
  `From: Eve <eve@example.net>\r\nTo: ada\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\n`
const plain = (subject: string, charset: string, encoding: string) =>
  `${head(subject)}Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
const times = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join('')
const wrapped = (text: string) => text.replace(/.{76}/g, '$&\r\n')

const nested = (depth: number) =>
  `${head('nested')}${times(depth, (n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`)}Content-Type: text/plain\r\n\r\nthe core\r\n`
const messages = (depth: number) =>
  `${head('messages')}${times(depth, () => 'Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n')}\r\nthe core\r\n`
const parts = (count: number, part: string) =>
  `${head('parts')}Content-Type: multipart/mixed; boundary=b\r\n\r\n${times(count, () => `--b\r\n${part}\r\n`)}--b--\r\n`
/** Boundaries that are prefixes of each other. */
const prefixes = (count: number) =>
  `${head('prefixes')}Content-Type: multipart/mixed; boundary="${'b'.repeat(60)}"\r\n\r\n${times(count, (n) => `--${'b'.repeat(n % 60)}\r\nx\r\n`)}`

const longAnd = (length: number) => `${'x'.repeat(length)}\u{1f600}`

/** The key exists in DNS, and each signature names hundreds of fields of a header with twenty thousand. */
const signature = (n: number) =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=evil.example; s=s; i=@n${n}.evil.example;\r\n` +
  ` bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; h=from:${times(600, () => 'a:\r\n ')}a;\r\n b=${'A'.repeat(344)}\r\n`

/** The attacker controls the DNS of evil.example. */
export const slowToCheck = Buffer.from(
  `${times(10, signature)}From: Eve <eve@evil.example>\r\nSubject: slow to check\r\n${times(20_000, () => 'a: b\r\n')}\r\nHello\r\n`,
)

const texts: Record<string, string> = {
  '10,000 headers': `${head('headers')}${times(10_000, (n) => `X-H${n}: ${n}\r\n`)}\r\nHello\r\n`,
  '10,000 Received-like headers of one name': `${head('one name')}${times(10_000, () => 'X-Received: from a by b\r\n')}\r\nHello\r\n`,
  'a header of 200 kB': `${head('long')}X-Long: ${'x'.repeat(90_000)}\r\n ${'y'.repeat(90_000)}\r\n\r\nHello\r\n`,
  'a header folded 50,000 times': `${head('folded')}X-Folded: a${times(50_000, () => '\r\n b')}\r\n\r\nHello\r\n`,
  '5,000 recipients in To': `From: Eve <eve@example.net>\r\nTo: ${times(5_000, (n) => `"B, ${n}" <b${n}@example.net>,\r\n `)}a@example.net\r\nSubject: many\r\n\r\nHello\r\n`,
  'groups and comments that never end': `From: ${'('.repeat(5_000)}eve@example.net\r\nTo: ${'g:'.repeat(5_000)}\r\nSubject: open\r\n\r\nHello\r\n`,
  '5,000 encoded words': `From: Eve <eve@example.net>\r\nSubject: ${times(5_000, () => '=?utf-8?Q?=C3=A9?=\r\n ')}\r\n\r\nHello\r\n`,
  'encoded words cut in the middle of a character': `From: =?utf-8?B?4pyT4p?= <eve@example.net>\r\nSubject: =?utf-8?Q?=E2=9C?= =?x-none?B?//8=?= =?utf-8?Z?x?=\r\n\r\nHello\r\n`,
  'a file name in 1,000 continuations': `${head('name')}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Disposition: attachment;\r\n${times(1_000, (n) => ` filename*${n}*=%41;\r\n`)} x=y\r\n\r\nfile\r\n--b--\r\n`,
  'parts nested 99 deep': nested(99),
  'parts nested 5,000 deep': nested(5_000),
  'messages within messages, 90 deep': messages(90),
  'messages within messages, 3,000 deep': messages(3_000),
  '20,000 empty parts': parts(20_000, 'Content-Type: a/b\r\n'),
  '3,000 attachments': parts(3_000, 'Content-Disposition: attachment; filename=a\r\n\r\nx'),
  '20,000 boundaries that begin as others do': prefixes(20_000),
  'a multipart without a boundary': `${head('none')}Content-Type: multipart/mixed\r\n\r\n--\r\n\r\nHello\r\n----\r\n`,
  'a boundary of 10,000 characters': `${head('wide')}Content-Type: multipart/mixed; boundary="${'b'.repeat(10_000)}"\r\n\r\n--${'b'.repeat(10_000)}\r\n\r\nHello\r\n`,
  'base64 that is none': `${plain('base64', 'utf-8', 'base64')}${wrapped('!@#$%^&*()_+=='.repeat(20_000))}\r\n`,
  'quoted-printable of lone marks': `${plain('qp', 'utf-8', 'quoted-printable')}${wrapped('=ZZ=4=\t='.repeat(40_000))}\r\n`,
  'uuencoded to the end': `${plain('uu', 'utf-8', 'x-uuencode')}begin 644 a\r\n${times(5_000, () => `M${'`'.repeat(60)}\r\n`)}`,
  'a charset that nobody knows': `${plain('charset', 'x-martian', '8bit')}Hello\r\n`,
  'a charset of 1,000 characters': `${plain('charset', 'x'.repeat(1_000), '8bit')}Hello\r\n`,
  'ISO-2022-JP that switches and never comes back': `${plain('jp', 'iso-2022-jp', '7bit')}${times(2_000, () => '\x1b$B$3$s\r\n')}`,
  'UTF-7': `${plain('utf-7', 'utf-7', '7bit')}+ADw-script+AD4-alert(1)+ADw-/script+AD4-\r\n`,
  'lone halves of UTF-16': `${plain('utf-16', 'utf-16le', 'base64')}${Buffer.from('\ud800x\udfff', 'utf16le').toString('base64')}\r\n`,
  'HTML of 400,000 open tags': `${head('html')}Content-Type: text/html\r\n\r\n${times(8_000, () => `${'<div>'.repeat(50)}\r\n`)}`,
  'HTML of half entities': `${head('entities')}Content-Type: text/html\r\n\r\n${times(10_000, () => '&#x&#99999999999;&amp\r\n')}`,
  'no header at all': '\r\nHello\r\n',
  nothing: '',
  'a header without a name': `${head('nameless')}: value\r\n:\r\n \r\n\r\nHello\r\n`,
  'a date in the year 300000': `${head('date')}Date: Fri, 01 Jan 300000 00:00:00 +9999\r\n\r\nHello\r\n`,
}

const bytes: Record<string, Buffer> = {
  'overlong UTF-8': Buffer.concat([
    Buffer.from(plain('overlong', 'utf-8', '8bit')),
    Buffer.from([0xc0, 0xaf, 0xe0, 0x80, 0xaf, 0xf8, 0x88, 13, 10]),
  ]),
  'every byte but CR, LF and NUL': Buffer.concat([
    Buffer.from(plain('bytes', 'windows-1252', '8bit')),
    Buffer.from(
      Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => ![0, 10, 13].includes(byte)),
    ),
    Buffer.from('\r\n'),
  ]),
  'raw bytes in the subject': Buffer.concat([
    Buffer.from('From: Eve <eve@example.net>\r\nSubject: '),
    Buffer.from([0xff, 0xfe, 0x80, 0xed, 0xa0, 0x80]),
    Buffer.from('\r\n\r\nHello\r\n'),
  ]),
  ...Object.fromEntries(
    Object.entries({
      'a name': `From: "${longAnd(199)}" <eve@example.net>`,
      'an encoded name': `From: =?utf-8?Q?${'x'.repeat(199)}=F0=9F=98=80?= <eve@example.net>`,
      'an address': `From: <${longAnd(319)}@example.net>`,
      'a recipient': `To: "${longAnd(199)}" <ada@example.net>`,
      'a subject': `Subject: ${longAnd(999)}`,
      'a reference': `References: <${longAnd(499)}@example.net>`,
    }).map(([what, field]) => [
      `${what} whose end is cut off in the middle of a character`,
      Buffer.from(`${field}\r\n\r\nHello\r\n`),
    ]),
  ),
}

export const hostileMails: readonly { name: string; raw: Buffer }[] = [
  ...Object.entries(texts).map(([name, text]) => ({ name, raw: Buffer.from(text, 'latin1') })),
  ...Object.entries(bytes).map(([name, raw]) => ({ name, raw })),
  { name: 'ten signatures of 600 fields each', raw: slowToCheck },
]
