/** COPY, MOVE and EXPUNGE (RFC 9051 §6.4.3, §6.4.7, §6.4.8, RFC 4315). */
import {
  copyMessages,
  expunge as expungeMessages,
  moveMessages,
  type UidPair,
} from '#server/features/messages/by-uid/place-messages.ts'
import { findFolder } from '../folders.ts'
import { Refusal } from '../refusal.ts'
import { type Session, selectedOf, writableOf } from '../session.ts'
import { tellGone } from '../sync.ts'
import type { Named } from '../wire/command.ts'
import { orderedSetText } from '../wire/message-sets.ts'

export const copy = async (session: Session, command: Named<'COPY'>): Promise<string> => {
  const selected = selectedOf(session)
  const { app, who, place, view } = selected
  const { isUid, set, mailbox } = command
  if (!isUid && !view.hasAll(set)) throw new Refusal('', 'There is no such message')
  const target = await findFolder(selected, mailbox, 'TRYCREATE')
  const pairs = await copyMessages(app, who, place, view.resolve(set, isUid), target.id)
  return `${copyUid(target.uidValidity, pairs)}Copied`
}

/** With nothing to move it is done as well: clients repeat a move whose answer they lost. */
export const move = async (session: Session, command: Named<'MOVE'>): Promise<string> => {
  const selected = writableOf(session)
  const { app, who, place, view } = selected
  const { isUid, set, mailbox } = command
  if (!isUid && !view.hasAll(set)) throw new Refusal('', 'There is no such message')
  const target = await findFolder(selected, mailbox, 'TRYCREATE')
  const pairs = await moveMessages(app, who, place, view.resolve(set, isUid), target.id)
  if (pairs.length > 0) session.out.line(`* OK ${copyUid(target.uidValidity, pairs)}Moved`)
  tellGone(
    session,
    view,
    pairs.map(({ from }) => from),
  )
  return 'Moved'
}

const copyUid = (uidValidity: number, pairs: readonly UidPair[]): string => {
  if (pairs.length === 0) return ''
  const [from, to] = [pairs.map((pair) => pair.from), pairs.map((pair) => pair.to)]
  return `[COPYUID ${uidValidity} ${orderedSetText(from)} ${orderedSetText(to)}] `
}

export const expunge = async (session: Session, { set }: Named<'EXPUNGE'>): Promise<string> => {
  const { app, who, place, view } = writableOf(session)
  const uids = set === null ? [...view.uids()] : view.resolve(set, true)
  tellGone(session, view, await expungeMessages(app, who, place, uids))
  return 'Expunged'
}
