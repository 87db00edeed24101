/** Names of mailboxes: UTF-8, or the modified UTF-7 of IMAP4rev1 (RFC 3501 §5.1.3). */

import { quoted } from '#server/standards/imap-texts/strings.ts'
import { BadSyntax, type Cursor } from './cursor.ts'

const MAX_NAME_BYTES = 1_000

export const readMailboxName = (cursor: Cursor, isUtf8: boolean): string =>
  decodeName(cursor.astring(), isUtf8)

/** INBOX in any case is `INBOX`. @throws BadSyntax */
export const decodeName = (bytes: Buffer, isUtf8: boolean): string => {
  if (bytes.length > MAX_NAME_BYTES) throw new BadSyntax('The name of a mailbox is too long')
  // Some programs send UTF-8 unasked.
  const name = isUtf8 || bytes.some((byte) => byte > 0x7f) ? utf8Of(bytes) : decodeUtf7(bytes)
  return /^inbox$/i.test(name) ? 'INBOX' : name
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const utf8Of = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new BadSyntax('The name of a mailbox is not UTF-8')
  }
}

const decodeUtf7 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/&([^-]*)(-?)/g, (_, shifted: string, end: string) => {
    if (end === '') throw new BadSyntax('The name of a mailbox is not modified UTF-7')
    if (shifted === '') return '&'
    if (!/^[A-Za-z0-9+,]+$/.test(shifted))
      throw new BadSyntax('The name of a mailbox is not modified UTF-7')
    const units = Buffer.from(shifted.replaceAll(',', '/'), 'base64')
    const text = Buffer.from(units.subarray(0, units.length & ~1))
      .swap16()
      .toString('utf16le')
    if (!text.isWellFormed()) throw new BadSyntax('The name of a mailbox is not modified UTF-7')
    return text
  })

const encodeUtf7 = (name: string): string =>
  name.replace(/&|[^\x20-\x7e]+/g, (found) => {
    if (found === '&') return '&-'
    const units = Buffer.from(found, 'utf16le').swap16().toString('base64')
    return `&${units.replace(/=+$/, '').replaceAll('/', ',')}-`
  })

/** As it is written to the client, in quotes. */
export const nameText = (name: string, isUtf8: boolean): string =>
  quoted(isUtf8 ? name : encodeUtf7(name))
