/** SELECT and EXAMINE (RFC 9051 §6.3.2, RFC 7162 §3.2.5), CLOSE and UNSELECT. */
import {
  changesInFolder,
  type OpenedFolder,
  openFolder,
} from '#server/features/messages/by-uid/open-folder.ts'
import { expunge } from '#server/features/messages/by-uid/place-messages.ts'
import { MailboxView } from '../mailbox-view.ts'
import { folderNamed } from '../named-folder.ts'
import { isRev2, type Reader, readerOf, type Session, selectedOf, takesUtf8 } from '../session.ts'
import { tellFlags } from '../sync.ts'
import type { Named, Qresync } from '../wire/command.ts'
import { systemFlags } from '../wire/flags.ts'
import { nameText } from '../wire/mailbox-names.ts'
import { resolveRanges, setText } from '../wire/message-sets.ts'

/** Of clients that ask first which keywords there are. */
const usualKeywords = ['$Forwarded', '$MDNSent', '$Junk', '$NotJunk', '$Important', '$Phishing']

export const select = async (
  session: Session,
  { name, mailbox, isCondstore, qresync }: Named<'SELECT' | 'EXAMINE'>,
): Promise<string> => {
  const reader = readerOf(session)
  if (session.view !== null) {
    session.view = null
    session.out.line('* OK [CLOSED] The other mailbox is closed')
  }
  if (isCondstore) session.enabled.add('CONDSTORE')
  const since = qresync?.modseq ?? null
  const opened = await openFolder(
    ...([session.app, reader.who, reader.mailboxId, folderNamed(mailbox), since] as const),
  )
  const { state, modseq, uids } = opened
  const view = new MailboxView(
    { folderId: state.id, uidValidity: state.uidValidity, modseq, uids },
    name === 'EXAMINE',
  )
  session.view = view
  session.hasNews = false
  tellState(session, opened, view)
  if (isRev2(session)) session.out.line(`* LIST () "/" ${nameText(mailbox, takesUtf8(session))}`)
  if (qresync?.uidValidity === state.uidValidity)
    await tellMissed(reader, view, { ...qresync, opened })
  return view.isReadOnly ? '[READ-ONLY] Open for reading' : '[READ-WRITE] Open'
}

const tellState = (
  session: Session,
  { state, modseq, firstUnread, keywords }: OpenedFolder,
  view: MailboxView,
): void => {
  const { out } = session
  const isUsual = (keyword: string) =>
    usualKeywords.some((each) => each.toLowerCase() === keyword.toLowerCase())
  const others = keywords.filter((keyword) => !isUsual(keyword))
  const flags = [...systemFlags, ...usualKeywords, ...others].join(' ')
  out.line(`* FLAGS (${flags})`)
  out.line(`* ${view.count} EXISTS`)
  if (!isRev2(session)) {
    out.line('* 0 RECENT')
    const first = firstUnread === 0 ? 0 : view.sequenceOf(firstUnread)
    if (first > 0) out.line(`* OK [UNSEEN ${first}] The first unread message`)
  }
  out.line(`* OK [PERMANENTFLAGS (${view.isReadOnly ? '' : `${flags} \\*`})] Flags that stay`)
  out.line(`* OK [UIDVALIDITY ${state.uidValidity}] UIDs are valid`)
  out.line(`* OK [UIDNEXT ${state.uidNext}] The next UID`)
  out.line(`* OK [HIGHESTMODSEQ ${Math.max(1, modseq)}] The last change`)
  out.line(`* OK [MAILBOXID (${state.id})] The id of the mailbox`)
}

/** What the client has missed since it last looked. */
const tellMissed = async (
  { session, app, who, mailboxId }: Reader,
  view: MailboxView,
  { modseq, knownUids, opened }: Qresync & { opened: OpenedFolder },
): Promise<void> => {
  const changes = await changesInFolder(app, who, mailboxId, view.folderId, modseq)
  const isAsked = askedAbout(knownUids, opened.state.uidNext)
  const gone = changes.isForgotten
    ? missingIn(view, knownUids ?? [{ first: 1, last: opened.state.uidNext - 1 }], opened)
    : changes.gone.filter((uid) => view.sequenceOf(uid) === 0 && isAsked(uid))
  if (gone.length > 0) session.out.line(`* VANISHED (EARLIER) ${setText(gone)}`)
  for (const row of opened.changed) if (isAsked(row.uid)) tellFlags(session, view, row)
}

const askedAbout = (known: Qresync['knownUids'], uidNext: number): ((uid: number) => boolean) => {
  if (known === null) return () => true
  const ranges = resolveRanges(known, uidNext - 1)
  return (uid) => ranges.some(({ first, last }) => uid >= first && uid <= last)
}

/** The log does not reach back: every uid that is not there counts as gone (RFC 7162 §3.2.5.1). */
const missingIn = (
  view: MailboxView,
  known: NonNullable<Qresync['knownUids']>,
  { state }: OpenedFolder,
): number[] => {
  const missing: number[] = []
  for (const { first, last } of resolveRanges(known, state.uidNext - 1))
    for (let uid = first; uid <= Math.min(last, state.uidNext - 1); uid++)
      if (view.sequenceOf(uid) === 0) missing.push(uid)
  return missing
}

/** Ends what is marked deleted, without a word. */
export const close = async (session: Session): Promise<string> => {
  const { app, who, place, view } = selectedOf(session)
  if (!view.isReadOnly) await expunge(app, who, place, [...view.uids()])
  session.view = null
  return 'Closed'
}

export const unselect = async (session: Session): Promise<string> => {
  selectedOf(session)
  session.view = null
  return 'Closed'
}
