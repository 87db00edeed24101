/** APPEND of one or several messages (RFC 9051 §6.3.12, RFC 3502, RFC 6855 §4), and REPLACE (RFC 8508). */
import type { AppendedMessage, Named, ReadingMode } from './command.ts'
import { BadSyntax, type Cursor } from './cursor.ts'
import { readDateTime } from './dates.ts'
import { noFlags, readFlags } from './flags.ts'
import { readMailboxName } from './mailbox-names.ts'

export const readAppend = (cursor: Cursor, { isUtf8 }: ReadingMode): Named<'APPEND'> => {
  cursor.space()
  const mailbox = readMailboxName(cursor, isUtf8)
  const messages: AppendedMessage[] = []
  while (cursor.take(' ')) messages.push(readMessage(cursor))
  if (messages.length === 0) throw new BadSyntax('A message is missing')
  return { name: 'APPEND', mailbox, messages }
}

export const readReplace = (
  isUid: boolean,
  cursor: Cursor,
  { isUtf8 }: ReadingMode,
): Named<'REPLACE'> => {
  cursor.space()
  const number = cursor.number()
  cursor.space()
  const mailbox = readMailboxName(cursor, isUtf8)
  cursor.space()
  return { name: 'REPLACE', isUid, number, mailbox, message: readMessage(cursor) }
}

const readMessage = (cursor: Cursor): AppendedMessage => {
  let flags = noFlags
  let date: Date | null = null
  if (cursor.peek() === '(') {
    flags = readFlags(cursor)
    cursor.space()
  }
  if (cursor.peek() === '"') {
    date = readDateTime(cursor.string().toString('latin1'))
    cursor.space()
  }
  if (cursor.take('UTF8 (')) {
    const raw = readLiteral(cursor)
    cursor.expect(')')
    return { flags, date, raw }
  }
  return { flags, date, raw: readLiteral(cursor) }
}

/** `~`: with bytes that no text has (RFC 3516). */
const readLiteral = (cursor: Cursor): Buffer => {
  cursor.take('~')
  return cursor.literal()
}
