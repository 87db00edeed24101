/**
 * DKIM signing, RFC 6376 with RFC 8301 and 8463: relaxed/relaxed, the whole body (no `l=`). The fields that readers see are
 * signed once more than they occur, so that none can be added in transit (decision 011).
 */
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { bodyStartOf, type HeaderLine, headerLinesOf, withCrlf } from './message-lines.ts'

export type SigningKey = {
  selector: string
  algorithm: 'rsa' | 'ed25519'
  privateKeyPem: string
}

const OVERSIGNED = [
  ...['from', 'reply-to', 'subject', 'to', 'cc', 'date', 'message-id'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
]
const SIGNED = [
  ...OVERSIGNED,
  'sender',
  'in-reply-to',
  'references',
  'auto-submitted',
  'list-unsubscribe',
  'list-unsubscribe-post',
]

/** Returns the message with CRLF line ends and one DKIM-Signature per key in front. */
export const dkimSign = (
  raw: Buffer,
  domain: string,
  keys: readonly SigningKey[],
  signedAt: Date,
): Buffer => {
  const message = withCrlf(raw)
  const bodyHash = relaxedBodyHash(message.subarray(bodyStartOf(message)))
  const { names, lines } = fieldsToSign(headerLinesOf(message))
  const signatures = keys.map((key) => {
    const unsigned = [
      `DKIM-Signature: v=1; a=${key.algorithm}-sha256; c=relaxed/relaxed; d=${domain};`,
      ` s=${key.selector}; t=${Math.floor(signedAt.getTime() / 1000)};`,
      ` h=${names.join(':')};`,
      ` bh=${bodyHash};`,
      ' b=',
    ].join('\r\n')
    const signed = Buffer.from([...lines, relaxedHeader(unsigned)].join('\r\n'), 'latin1')
    return `${unsigned}${folded(signatureOf(signed, key))}\r\n`
  })
  return Buffer.concat([Buffer.from(signatures.join(''), 'latin1'), message])
}

/** RFC 8463 §3: Ed25519 signs the SHA-256 of the data, RSA signs the data with SHA-256. */
const signatureOf = (signed: Buffer, key: SigningKey): string => {
  const privateKey = createPrivateKey(key.privateKeyPem)
  return key.algorithm === 'rsa'
    ? sign('sha256', signed, privateKey).toString('base64')
    : sign(null, createHash('sha256').update(signed).digest(), privateKey).toString('base64')
}

/** Fields of one name are signed from the last to the first (§5.4.2). */
const fieldsToSign = (headers: readonly HeaderLine[]): { names: string[]; lines: string[] } => {
  const names: string[] = []
  const lines: string[] = []
  for (const name of SIGNED) {
    const found = headers.filter((header) => header.name === name).toReversed()
    for (const header of found) {
      names.push(name)
      lines.push(relaxedHeader(header.line))
    }
    if (OVERSIGNED.includes(name)) names.push(name)
  }
  return { names, lines }
}

/** §3.4.2 */
const relaxedHeader = (line: string): string => {
  const colon = line.indexOf(':')
  const value = line
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .trim()
  return `${line.slice(0, colon).trim().toLowerCase()}:${value}`
}

const PIECE_BYTES = 256 * 1024

/** §3.4.4. Hashes the body in pieces of whole lines: as one string, a body of 25 MB would be in memory five times. */
const relaxedBodyHash = (body: Buffer): string => {
  const hash = createHash('sha256')
  let isEmpty = true
  // Empty lines at the end of the body are not hashed.
  let emptyLines = 0
  for (let at = 0; at < body.length; ) {
    const lastByte = body.indexOf('\n', at + PIECE_BYTES)
    const end = lastByte === -1 ? body.length : lastByte + 1
    const { text, endings } = withoutLastEndings(relaxedLines(body.toString('latin1', at, end)))
    at = end
    if (text === '') emptyLines += endings
    else {
      hash.update('\r\n'.repeat(emptyLines)).update(text, 'latin1')
      emptyLines = endings
      isEmpty = false
    }
  }
  return hash.update(isEmpty ? '' : '\r\n').digest('base64')
}

/** Collapses runs of spaces first: searching for spaces only before line ends would take quadratic time. */
const relaxedLines = (lines: string): string =>
  lines.replace(/[ \t]+/g, ' ').replaceAll(' \r\n', '\r\n')

const withoutLastEndings = (lines: string): { text: string; endings: number } => {
  let end = lines.length
  while (end >= 2 && lines.startsWith('\r\n', end - 2)) end -= 2
  return { text: lines.slice(0, end), endings: (lines.length - end) / 2 }
}

const folded = (base64: string): string => (base64.match(/.{1,72}/g) ?? []).join('\r\n  ')
