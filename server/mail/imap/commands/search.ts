/** SEARCH, SORT and THREAD (RFC 9051 §6.4.4, RFC 5256, RFC 4731, RFC 5182, RFC 9394). */

import type { Criteria } from '#server/features/messages/by-uid/criteria.ts'
import { highestModseq } from '#server/features/messages/by-uid/open-folder.ts'
import {
  type Order,
  orderByUid,
  type Thread,
  threadByUid,
} from '#server/features/messages/by-uid/order-by-uid.ts'
import { searchByUid } from '#server/features/messages/by-uid/search-by-uid.ts'
import type { MailboxView } from '../mailbox-view.ts'
import { isRev2, type Selecting, type Session, selectedOf } from '../session.ts'
import type { Named, Portion, SearchKey, SearchReturn, SortKey } from '../wire/command.ts'
import { orderedSetText, resolveRanges, setText } from '../wire/message-sets.ts'

type Searching = { isUid: boolean; returns: SearchReturn | null; asksModseq: boolean }

export const search = async (
  session: Session,
  command: Named<'SEARCH'>,
  tag: string,
): Promise<string> => {
  const selected = selectedOf(session)
  const found = await findIn(selected, command.key)
  await tellFound(selected, found, { ...command, tag, isSorted: false })
  return 'Searched'
}

export const sort = async (
  session: Session,
  command: Named<'SORT'>,
  tag: string,
): Promise<string> => {
  const selected = selectedOf(session)
  const found = await findIn(selected, command.key)
  const { app, who, place } = selected
  const ordered = await orderByUid(app, who, place, found, command.order.map(orderOf))
  await tellFound(selected, ordered, { ...command, tag, isSorted: true })
  return 'Sorted'
}

export const thread = async (session: Session, command: Named<'THREAD'>): Promise<string> => {
  const selected = selectedOf(session)
  const found = await findIn(selected, command.key)
  const threads = await threadByUid(selected.app, selected.who, selected.place, found)
  const number = (uid: number) => (command.isUid ? uid : selected.view.sequenceOf(uid))
  session.out.line(
    `* THREAD${threads.length > 0 ? ' ' : ''}${threads.map((each) => `(${threadText(each, number)})`).join('')}`,
  )
  return 'Threaded'
}

const threadText = ({ uid, answers }: Thread, number: (uid: number) => number): string => {
  const own = uid === 0 ? '' : String(number(uid))
  const [only] = answers
  if (only === undefined) return own
  if (answers.length === 1) return `${own} ${threadText(only, number)}`.trim()
  const each = answers.map((answer) => `(${threadText(answer, number)})`).join('')
  return own === '' ? each : `${own} ${each}`
}

const orders: Record<SortKey['by'], Order['by']> = {
  ...({ ARRIVAL: 'arrival', CC: 'cc', DATE: 'date', FROM: 'from', SIZE: 'size' } as const),
  ...({ SUBJECT: 'subject', TO: 'to' } as const),
  ...({ DISPLAYFROM: 'displayFrom', DISPLAYTO: 'displayTo' } as const),
}

const orderOf = ({ by, isReverse }: SortKey): Order => ({ by: orders[by], isReverse })

/** Uids that the client knows, ascending. */
const findIn = async (
  { app, who, place, view, session }: Selecting,
  key: SearchKey,
): Promise<number[]> => {
  const criteria = resolved(key, view)
  const found = await searchByUid(app, who, place, criteria, () => session.isClosed)
  return found.filter((uid) => view.sequenceOf(uid) > 0)
}

/** With uids in place of sets of messages. */
const resolved = (key: SearchKey, view: MailboxView): Criteria => {
  if ('all' in key) return { all: key.all.map((each) => resolved(each, view)) }
  if ('any' in key) return { any: key.any.map((each) => resolved(each, view)) }
  if ('not' in key) return { not: resolved(key.not, view) }
  if (!('messages' in key)) return key
  const { messages, by } = key
  if (by === 'uid' && messages !== 'saved') return { uids: resolveRanges(messages, view.lastUid) }
  return { uids: rangesOf(view.resolve(messages, false)) }
}

const rangesOf = (uids: readonly number[]): { first: number; last: number }[] => {
  const ranges: { first: number; last: number }[] = []
  for (const uid of uids) {
    const before = ranges.at(-1)
    if (before && uid === before.last + 1) before.last = uid
    else ranges.push({ first: uid, last: uid })
  }
  return ranges
}

type Telling = Searching & { tag: string; isSorted: boolean }

const tellFound = async (
  selected: Selecting,
  found: readonly number[],
  { isUid, returns, asksModseq, tag, isSorted }: Telling,
): Promise<void> => {
  const { session, view } = selected
  const numbers = isUid ? found : found.map((uid) => view.sequenceOf(uid))
  const modseq = asksModseq && found.length > 0 ? await modseqOf(selected, found) : 0
  if (asksModseq) session.enabled.add('CONDSTORE')
  if (returns?.options.has('SAVE')) view.saved = savedBy(returns, found)
  if (returns === null && (isSorted || !isRev2(session))) {
    const modseqText = modseq > 0 ? ` (MODSEQ ${modseq})` : ''
    const each = numbers.length > 0 ? ` ${numbers.join(' ')}` : ''
    session.out.line(`* ${isSorted ? 'SORT' : 'SEARCH'}${each}${modseqText}`)
    return
  }
  const asked = returns ?? { options: new Set(['ALL'] as const), partial: null }
  // SAVE alone answers nothing.
  if (asked.partial === null && [...asked.options].every((option) => option === 'SAVE')) return
  const items = extendedItems(numbers, asked, isSorted)
  if (modseq > 0) items.push(`MODSEQ ${modseq}`)
  const told = [`(TAG "${tag}")`, ...(isUid ? ['UID'] : []), ...items].join(' ')
  session.out.line(`* ESEARCH ${told}`)
}

const modseqOf = ({ app, who, mailboxId, view }: Selecting, uids: readonly number[]) =>
  highestModseq(app, who, { mailboxId, folderId: view.folderId }, uids)

/** MIN and MAX alone save these; everything else saves all (RFC 5182 §2.4). */
const savedBy = (
  { options, partial }: SearchReturn,
  found: readonly number[],
): readonly number[] => {
  const isWhole = options.has('ALL') || options.has('COUNT') || partial !== null
  const [first, last] = [found[0], found.at(-1)]
  if (
    isWhole ||
    !(options.has('MIN') || options.has('MAX')) ||
    first === undefined ||
    last === undefined
  )
    return found.toSorted((a, b) => a - b)
  return [
    ...new Set([...(options.has('MIN') ? [first] : []), ...(options.has('MAX') ? [last] : [])]),
  ]
}

const extendedItems = (
  numbers: readonly number[],
  { options, partial }: SearchReturn,
  isSorted: boolean,
): string[] => {
  const setOf = (some: readonly number[]) => (isSorted ? orderedSetText(some) : setText(some))
  const items: string[] = []
  if (numbers.length > 0) {
    if (options.has('MIN')) items.push(`MIN ${numbers[0]}`)
    if (options.has('MAX')) items.push(`MAX ${numbers.at(-1)}`)
    if (options.has('ALL')) items.push(`ALL ${setOf(numbers)}`)
  }
  if (options.has('COUNT')) items.push(`COUNT ${numbers.length}`)
  if (partial !== null) {
    const some = portionOf(numbers, partial)
    items.push(
      `PARTIAL (${partial.first}:${partial.last} ${some.length > 0 ? setOf(some) : 'NIL'})`,
    )
  }
  return items
}

const portionOf = (numbers: readonly number[], { first, last }: Portion): readonly number[] =>
  first > 0
    ? numbers.slice(first - 1, last)
    : numbers.slice(Math.max(0, numbers.length + last), numbers.length + first + 1)
