/** LIST and LSUB (RFC 9051 §6.3.9, RFC 5258, RFC 5819, RFC 6154), and STATUS (§6.3.11). */
import type { ListCommand, Named, ReadingMode, StatusItem } from './command.ts'
import { BadSyntax, type Cursor } from './cursor.ts'
import { decodeName, readMailboxName } from './mailbox-names.ts'

const statusItems: ReadonlySet<string> = new Set<StatusItem>([
  ...(['MESSAGES', 'RECENT', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN', 'DELETED', 'SIZE'] as const),
  ...(['HIGHESTMODSEQ', 'MAILBOXID', 'APPENDLIMIT'] as const),
])
const selectOptions = ['SUBSCRIBED', 'REMOTE', 'RECURSIVEMATCH', 'SPECIAL-USE']
const returnOptions = ['SUBSCRIBED', 'CHILDREN', 'SPECIAL-USE']
const MAX_PATTERNS = 100

export const readStatus = (cursor: Cursor, { isUtf8 }: ReadingMode): Named<'STATUS'> => {
  cursor.space()
  const mailbox = readMailboxName(cursor, isUtf8)
  cursor.space()
  return { name: 'STATUS', mailbox, items: readStatusItems(cursor) }
}

const readStatusItems = (cursor: Cursor): StatusItem[] =>
  cursor.list(() => {
    const item = cursor.word('An item of STATUS')
    if (!statusItems.has(item)) throw new BadSyntax(`STATUS does not know ${item.slice(0, 40)}`)
    return item as StatusItem
  })

export const readList = (
  name: 'LIST' | 'LSUB',
  cursor: Cursor,
  { isUtf8 }: ReadingMode,
): ListCommand => {
  cursor.space()
  let isExtended = false
  let selects: string[] = []
  if (cursor.peek() === '(') {
    isExtended = true
    selects = cursor.list(() => readOption(cursor, selectOptions))
    cursor.space()
  }
  const reference = readMailboxName(cursor, isUtf8)
  cursor.space()
  const readPattern = () => decodeName(cursor.pattern(), isUtf8)
  const several = cursor.peek() === '('
  const patterns = several ? cursor.list(readPattern) : [readPattern()]
  if (patterns.length > MAX_PATTERNS) throw new BadSyntax('LIST takes fewer patterns')
  const { returns, status } = readReturns(cursor)
  return {
    ...{ name, reference, patterns, status },
    ...{ selects: new Set(selects), returns: new Set(returns) },
    isExtended: isExtended || several || returns !== null,
  }
}

const readReturns = (cursor: Cursor): { returns: string[] | null; status: StatusItem[] | null } => {
  if (!cursor.take(' RETURN ')) return { returns: null, status: null }
  let status: StatusItem[] | null = null
  const returns = cursor.list(() => {
    if (!cursor.take('STATUS ')) return readOption(cursor, returnOptions)
    status = readStatusItems(cursor)
    return 'STATUS'
  })
  return { returns, status }
}

const readOption = (cursor: Cursor, known: readonly string[]): string => {
  const option = cursor.word('An option')
  if (!known.includes(option)) throw new BadSyntax(`LIST does not know ${option.slice(0, 40)}`)
  return option
}
