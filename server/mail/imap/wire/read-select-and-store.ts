/** SELECT and EXAMINE with the parameters of RFC 7162, and STORE. */
import type { Named, Qresync, ReadingMode } from './command.ts'
import { BadSyntax, type Cursor } from './cursor.ts'
import { readFlags } from './flags.ts'
import { readMailboxName } from './mailbox-names.ts'
import { readRanges, readSet } from './message-sets.ts'

export const readSelect = (
  name: 'SELECT' | 'EXAMINE',
  cursor: Cursor,
  { isUtf8 }: ReadingMode,
): Named<'SELECT' | 'EXAMINE'> => {
  cursor.space()
  const mailbox = readMailboxName(cursor, isUtf8)
  let isCondstore = false
  let qresync: Qresync | null = null
  if (cursor.take(' '))
    cursor.list(() => {
      if (cursor.take('CONDSTORE')) isCondstore = true
      else if (cursor.take('QRESYNC ')) qresync = readQresync(cursor)
      else throw new BadSyntax('A parameter is not known')
    })
  return { name, mailbox, isCondstore, qresync }
}

/** `(uidvalidity modseq [known uids] [(sequence numbers, their uids)])`. The last only saves time, and is not used. */
const readQresync = (cursor: Cursor): Qresync => {
  cursor.expect('(')
  const uidValidity = cursor.number()
  cursor.space()
  const modseq = cursor.bigNumber()
  let knownUids: Qresync['knownUids'] = null
  if (cursor.take(' ')) {
    if (cursor.peek() !== '(') {
      knownUids = readRanges(cursor)
      cursor.take(' ')
    }
    if (cursor.take('(')) {
      readRanges(cursor)
      cursor.space()
      readRanges(cursor)
      cursor.expect(')')
    }
  }
  cursor.expect(')')
  return { uidValidity, modseq, knownUids }
}

export const readStore = (isUid: boolean, cursor: Cursor): Named<'STORE'> => {
  cursor.space()
  const set = readSet(cursor)
  cursor.space()
  let unchangedSince: number | null = null
  if (cursor.take('(UNCHANGEDSINCE ')) {
    unchangedSince = cursor.bigNumber()
    cursor.expect(')')
    cursor.space()
  }
  const how = cursor.take('+') ? 'add' : cursor.take('-') ? 'remove' : 'set'
  cursor.expect('FLAGS')
  const isSilent = cursor.take('.SILENT')
  cursor.space()
  const flags = readFlags(cursor)
  return { name: 'STORE', isUid, set, how, isSilent, flags, unchangedSince }
}
