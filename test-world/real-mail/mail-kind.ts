/** One kind of mail as people get it: its bytes, and what its reader must find in it. */

export type MailKind = {
  name: string
  raw: Buffer
  /** In the list, and above the letter. */
  subject: string
  /** Of the author, as shown; '' for none. */
  from?: string
  /** Whom an answer goes to; sender@example.net where the kind is not about people. */
  answersTo?: string
  /** What stands in the letter. */
  says: readonly string[]
  saysNot?: readonly string[]
  /** It is shown as it came. */
  isSource?: boolean
  /** What can be saved: name and bytes. */
  files: readonly (readonly [name: string, content: Buffer])[]
}

export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
export const utf8 = (text: string): Buffer => Buffer.from(text)

type Header = Record<string, string | Buffer>

const CRLF = bytes('\r\n')

/** Fields as they stand, bytes and all. What is not given is usual; '' leaves a field out. */
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

/** A part of `boundary=b`: its fields, an empty line, its content. */
export const part = (header: string, content: string | Buffer): Buffer =>
  Buffer.concat([asBytes(`--b\r\n${header}\r\n\r\n`), asBytes(content), CRLF])

export const MIXED = { 'Content-Type': 'multipart/mixed; boundary=b' }
export const END = '--b--\r\n'
export const LETTER = part('Content-Type: text/plain; charset=utf-8', 'Here it is.')

/** A letter with one file. */
export const withFile = (header: string, content: string | Buffer): Buffer =>
  mail(MIXED, LETTER, part(header, content), END)
