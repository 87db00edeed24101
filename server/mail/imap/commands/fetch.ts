/** FETCH (RFC 9051 §6.4.5). */
import { changeFlags } from '#server/features/messages/by-uid/change-flags.ts'
import { changesInFolder } from '#server/features/messages/by-uid/open-folder.ts'
import {
  type MessageByUid,
  type MessageColumn,
  readByUid,
} from '#server/features/messages/by-uid/read-by-uid.ts'
import { plainItem } from '../fetched-item.ts'
import { sectionColumns, sectionItem } from '../fetched-section.ts'
import { Refusal } from '../refusal.ts'
import { type Selecting, type Session, selectedOf, takesUtf8 } from '../session.ts'
import type { FetchItem, Named, Portion } from '../wire/command.ts'
import { noFlags } from '../wire/flags.ts'
import { setText } from '../wire/message-sets.ts'

export const fetch = async (session: Session, command: Named<'FETCH'>): Promise<string> => {
  const selected = selectedOf(session)
  const { view } = selected
  const { isUid, changedSince, partial } = command
  if (!isUid && !view.hasAll(command.set)) throw new Refusal('', 'There is no such message')
  if (command.isVanished && (!isUid || changedSince === null || !session.enabled.has('QRESYNC')))
    throw new Refusal('CLIENTBUG', 'VANISHED goes with UID FETCH and CHANGEDSINCE')
  const items = withUsual(session, command)
  const uids = portionOf(view.resolve(command.set, isUid), partial)
  if (command.isVanished) await tellVanished(selected, command)
  const seen = await markSeen(selected, uids, items)
  const isWhole = await tellMessages(selected, uids, items, { changedSince, seen })
  if (!isWhole) throw new Refusal('UNKNOWN-CTE', 'A part of a message cannot be read')
  return 'Fetched'
}

type Telling = {
  changedSince: number | null
  /** Those that have become \Seen by this: their flags are told as well. */
  seen: ReadonlySet<number>
}

/** Without marking them \Seen. @returns false where a part cannot be decoded */
export const tellMessages = async (
  selected: Selecting,
  uids: readonly number[],
  items: readonly FetchItem[],
  { changedSince, seen }: Telling,
): Promise<boolean> => {
  const { session, app, who, place, view } = selected
  const plain = shownTo(session, items)
  const withSeen = seen.size > 0 ? shownTo(session, withFlags(items)) : plain
  const columns = columnsOf(session, withSeen)
  let isWhole = true
  for await (const portion of readByUid(app, who, place, uids, { columns, changedSince })) {
    for (const message of portion) {
      if (session.isClosed) return isWhole
      const shown = seen.has(message.uid) ? withSeen : plain
      if (shown.some(({ item }) => item === 'MODSEQ')) view.noteTold(message.modseq)
      if (!(await tellMessage(selected, message, shown))) isWhole = false
    }
    await session.out.flush()
  }
  return isWhole
}

/** UID is in each answer to UID FETCH, MODSEQ where the client asked by it (RFC 7162 §3.1.4.1). */
const withUsual = (
  session: Session,
  { isUid, items, changedSince }: Named<'FETCH'>,
): FetchItem[] => {
  const has = (name: string) => items.some(({ item }) => item === name)
  if (has('MODSEQ') || changedSince !== null) session.enabled.add('CONDSTORE')
  return [
    ...(isUid && !has('UID') ? [{ item: 'UID' } as const] : []),
    ...items,
    ...(changedSince !== null && !has('MODSEQ') ? [{ item: 'MODSEQ' } as const] : []),
  ]
}

const withFlags = (items: readonly FetchItem[]): FetchItem[] =>
  items.some(({ item }) => item === 'FLAGS') ? [...items] : [...items, { item: 'FLAGS' }]

const columnsOf = (session: Session, items: readonly FetchItem[]): MessageColumn[] => [
  ...new Set(
    items.flatMap<MessageColumn>((each) =>
      each.item === 'SECTION'
        ? [...sectionColumns]
        : plainItem(each.item, takesUtf8(session)).columns,
    ),
  ),
]

/** Of the messages in the order of their numbers (RFC 9394 §3.3). */
const portionOf = (uids: readonly number[], partial: Portion | null): readonly number[] => {
  if (partial === null) return uids
  const { first, last } = partial
  return first > 0
    ? uids.slice(first - 1, last)
    : uids.slice(Math.max(0, uids.length + last), uids.length + first + 1)
}

const tellVanished = async (
  { session, app, who, mailboxId, view }: Selecting,
  { set, changedSince }: Named<'FETCH'>,
): Promise<void> => {
  const changes = await changesInFolder(app, who, mailboxId, view.folderId, changedSince ?? 0)
  if (changes.isForgotten || set === 'saved') return
  const isAsked = (uid: number) =>
    set.some(({ first, last }) => uid >= first && uid <= last) && view.sequenceOf(uid) === 0
  const gone = changes.gone.filter(isAsked)
  if (gone.length > 0) session.out.line(`* VANISHED (EARLIER) ${setText(gone)}`)
}

/** What is read without PEEK is \Seen from now on. @returns the uids that were not. */
const markSeen = async (
  { app, who, place, view }: Selecting,
  uids: readonly number[],
  items: readonly FetchItem[],
): Promise<ReadonlySet<number>> => {
  const isReading = items.some((item) => item.item === 'SECTION' && !item.isPeek)
  if (!isReading || view.isReadOnly || uids.length === 0) return new Set()
  const before = view.modseq
  const { messages } = await changeFlags(app, who, place, uids, {
    ...{ how: 'add', flags: { ...noFlags, isRead: true }, unchangedSince: null },
  })
  const seen = messages.filter(({ modseq }) => modseq > before)
  for (const { uid, modseq } of seen) view.told.set(uid, modseq)
  return new Set(seen.map(({ uid }) => uid))
}

/** false: a part could not be decoded. */
const tellMessage = async (
  { session, view, app, place }: Selecting,
  message: MessageByUid,
  items: readonly FetchItem[],
): Promise<boolean> => {
  const { out } = session
  const isUtf8 = takesUtf8(session)
  let text = `* ${view.sequenceOf(message.uid)} FETCH (`
  let isWhole = true
  let space = ''
  for (const item of items) {
    text += space
    space = ' '
    if (item.item !== 'SECTION') {
      const told = plainItem(item.item, isUtf8).text(message)
      isWhole &&= told !== null
      text += `${item.item} ${told ?? 'NIL'}`
      continue
    }
    const parts = await sectionItem({ session, app, place }, message, item)
    isWhole &&= parts !== null
    out.write(text)
    text = ''
    for (const part of parts ?? [`${item.label} NIL`]) out.write(part)
  }
  out.line(`${text})`)
  return isWhole
}

/** With QRESYNC, MODSEQ is told with each FLAGS (RFC 7162 §3.2.4). */
const shownTo = (session: Session, items: readonly FetchItem[]): FetchItem[] => {
  const has = (name: string) => items.some(({ item }) => item === name)
  const isAdded = session.enabled.has('QRESYNC') && has('FLAGS') && !has('MODSEQ')
  return isAdded ? [...items, { item: 'MODSEQ' }] : [...items]
}
