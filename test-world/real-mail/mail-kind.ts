/** One kind of real mail: its bytes, and what its reader must see. */

export type MailKind = {
  name: string
  raw: Buffer
  /** In the list, and above the text. */
  subject: string
  /** The displayed author; '' for none. */
  from?: string
  /** The address that an answer goes to; sender@example.net when absent. */
  answersTo?: string
  /** Phrases that the displayed text contains. */
  says: readonly string[]
  saysNot?: readonly string[]
  /** Shown as its source. */
  isSource?: boolean
  /** The attachments: name and bytes. */
  files: readonly (readonly [name: string, content: Buffer])[]
}

export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
export const utf8 = (text: string): Buffer => Buffer.from(text)

type Header = Record<string, string | Buffer>

const CRLF = bytes('\r\n')

/** Fields with exactly these bytes. Absent fields get a default; '' leaves a field out. */
export const mail = (header: Header, ...body: (string | Buffer)[]): Buffer => {
  const fields: Header = {
    From: 'Sam Sender <sender@example.net>',
    To: 'ada@example.com',
    Subject: 'A letter',
    Date: 'Mon, 23 Nov 2026 10:00:00 +0100',
    'Message-ID': `<${crypto.randomUUID()}@example.net>`,
    'MIME-Version': '1.0',
    ...header,
  }
  const lines = Object.entries(fields)
    .filter(([, value]) => value.length > 0)
    .flatMap(([name, value]) => [bytes(`${name}: `), asBytes(value), CRLF])
  return Buffer.concat([...lines, CRLF, ...body.map(asBytes)])
}

const asBytes = (value: string | Buffer): Buffer =>
  typeof value === 'string' ? Buffer.from(value) : value

/** A MIME part for `boundary=b`: fields, an empty line, content. */
export const part = (header: string, content: string | Buffer): Buffer =>
  Buffer.concat([asBytes(`--b\r\n${header}\r\n\r\n`), asBytes(content), CRLF])

export const MIXED = { 'Content-Type': 'multipart/mixed; boundary=b' }
export const END = '--b--\r\n'
export const LETTER = part('Content-Type: text/plain; charset=utf-8', 'Here it is.')

/** A mail with one attachment. */
export const withFile = (header: string, content: string | Buffer): Buffer =>
  mail(MIXED, LETTER, part(header, content), END)
