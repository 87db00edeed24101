/** NOTIFY (RFC 5465 §8). */
import type { EventGroup, FetchItem, Named, NotifyEvent, ReadingMode } from './command.ts'
import { BadSyntax, type Cursor } from './cursor.ts'
import { readMailboxName } from './mailbox-names.ts'
import { readFetchList } from './read-fetch.ts'

const MAX_GROUPS = 50
const MAX_NAMES = 1_000

const filters: ReadonlySet<string> = new Set<EventGroup['of']>([
  ...(['SELECTED', 'SELECTED-DELAYED', 'INBOXES', 'PERSONAL', 'SUBSCRIBED'] as const),
  ...(['SUBTREE', 'MAILBOXES'] as const),
])
const ofMessages: ReadonlySet<string> = new Set<NotifyEvent>([
  ...(['MESSAGENEW', 'MESSAGEEXPUNGE', 'FLAGCHANGE'] as const),
])
const ofMailboxes: ReadonlySet<string> = new Set<NotifyEvent>(['MAILBOXNAME', 'SUBSCRIPTIONCHANGE'])

type ReadGroup = { group: EventGroup; hasBadEvents: boolean }

export const readNotify = (cursor: Cursor, { isUtf8 }: ReadingMode): Named<'NOTIFY'> => {
  cursor.space()
  if (cursor.take('NONE'))
    return { name: 'NOTIFY', groups: null, tellsStatus: false, badEvents: false }
  cursor.expect('SET')
  const tellsStatus = cursor.take(' STATUS')
  const read: ReadGroup[] = []
  while (cursor.take(' ')) {
    read.push(readGroup(cursor, isUtf8))
    if (read.length > MAX_GROUPS) throw new BadSyntax('NOTIFY takes fewer groups of events')
  }
  const groups = read.map(({ group }) => group)
  if (groups.length === 0) throw new BadSyntax('NOTIFY SET takes a group of events')
  if (groups.filter(isOfSelected).length > 1)
    throw new BadSyntax('NOTIFY takes the selected mailbox once')
  const badEvents = read.some(({ hasBadEvents }) => hasBadEvents)
  return { name: 'NOTIFY', groups, tellsStatus, badEvents }
}

const isOfSelected = ({ of }: Pick<EventGroup, 'of'>): boolean =>
  of === 'SELECTED' || of === 'SELECTED-DELAYED'

const readGroup = (cursor: Cursor, isUtf8: boolean): ReadGroup => {
  cursor.expect('(')
  const of = cursor.word('The mailboxes of a group') as EventGroup['of']
  if (!filters.has(of)) throw new BadSyntax(`NOTIFY does not know ${of.slice(0, 40)}`)
  const names = new Set<string>()
  if (of === 'SUBTREE' || of === 'MAILBOXES') {
    cursor.space()
    const readName = () => names.add(readMailboxName(cursor, isUtf8))
    if (cursor.peek() === '(') cursor.list(readName)
    else readName()
    if (names.size === 0 || names.size > MAX_NAMES)
      throw new BadSyntax(`${of} takes 1 to ${MAX_NAMES} mailboxes`)
  }
  cursor.space()
  const { events, newItems, hasBadEvents } = readEvents(cursor, isOfSelected({ of }))
  cursor.expect(')')
  return { group: { of, names, events, newItems }, hasBadEvents }
}

const readEvents = (
  cursor: Cursor,
  isSelected: boolean,
): Pick<EventGroup, 'events' | 'newItems'> & { hasBadEvents: boolean } => {
  const events = new Set<NotifyEvent>()
  let newItems: FetchItem[] = []
  let hasBadEvents = false
  if (cursor.take('NONE')) return { events, newItems, hasBadEvents }
  cursor.list(() => {
    const event = cursor.word('An event')
    if (!ofMessages.has(event) && !ofMailboxes.has(event)) hasBadEvents = true
    else if (isSelected && !ofMessages.has(event))
      throw new BadSyntax('The selected mailbox has events of messages alone')
    else events.add(event as NotifyEvent)
    if (event !== 'MESSAGENEW' || !cursor.isNext(' (')) return
    if (!isSelected) throw new BadSyntax('Items are fetched in the selected mailbox alone')
    cursor.space()
    // A notification must not mark the message as read.
    newItems = readFetchList(cursor).map((item) =>
      'isPeek' in item ? { ...item, isPeek: true } : item,
    )
  })
  checkEvents(events, hasBadEvents)
  return { events, newItems, hasBadEvents }
}

/** RFC 5465 §5: these go together. @throws BadSyntax */
const checkEvents = (events: ReadonlySet<NotifyEvent>, hasBadEvents: boolean): void => {
  if (events.size === 0 && !hasBadEvents) throw new BadSyntax('An event is missing')
  const [isNew, isExpunge] = [events.has('MESSAGENEW'), events.has('MESSAGEEXPUNGE')]
  if (isNew !== isExpunge) throw new BadSyntax('MessageNew and MessageExpunge go together')
  if (events.has('FLAGCHANGE') && !isNew)
    throw new BadSyntax('FlagChange goes with MessageNew and MessageExpunge')
}
