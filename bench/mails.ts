/** Mails as people have them: letters, newsletters in HTML, and one with a file. */
import { randomBytes } from 'node:crypto'

/** Stands in each of them. */
export const TEXT = 'A line of the sample'

const HEAD =
  'From: Grace <grace@example.org>\r\nTo: ada@small.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n'
const WORDS = 'All the world is a stage, and mail its messenger from one scene to the next. '

const letter = (bytes: number): string =>
  `${HEAD}Content-Type: text/plain; charset=utf-8\r\n\r\n${TEXT}\r\n${`${WORDS}\r\n`.repeat(bytes / WORDS.length)}`

/** Tables in tables with a style at each cell, as programs for newsletters write them. */
const newsletter = (bytes: number): string => {
  const cell = `<tr><td style="padding:12px 24px;font-family:Arial,sans-serif;color:#333333"><h2 style="margin:0">${WORDS}</h2>
<p style="line-height:1.5">${WORDS.repeat(3)}<a href="https://example.org/read">More</a></p></td></tr>\r\n`
  const html = `<html><head><style>td{mso-line-height-rule:exactly}</style></head><body><p>${TEXT}</p>
<table width="100%" bgcolor="#f4f4f4"><tr><td align="center"><table width="600">${cell.repeat(bytes / cell.length)}</table></td></tr></table></body></html>`
  return `${HEAD}Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${TEXT}\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n--b--\r\n`
}

const withFile = (bytes: number): string =>
  `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${TEXT}\r\n--b\r\nContent-Type: application/pdf; name=offer.pdf\r\nContent-Disposition: attachment; filename=offer.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${randomBytes(bytes).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`

/** In the order in which they repeat in the mailbox: every second one is HTML. */
export const peoplesMails = (): Buffer[] =>
  [
    ...[letter(1_500), newsletter(30_000), letter(4_000), newsletter(60_000)],
    ...[withFile(150_000), newsletter(20_000), letter(9_000), newsletter(45_000)],
  ].map((mail) => Buffer.from(mail))
