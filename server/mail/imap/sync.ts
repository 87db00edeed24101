/** Tells a client what others, or its own commands, have changed in the selected folder, and in those that it watches. */
import { AppError } from '#contract/errors.ts'
import type { FlagsRow } from '#server/features/messages/by-uid/message-flags.ts'
import { changesInFolder, openFolder } from '#server/features/messages/by-uid/open-folder.ts'
import { tellMessages } from './commands/fetch.ts'
import type { MailboxView } from './mailbox-view.ts'
import { knowsModseq, type Selecting, type Session, selectedOf } from './session.ts'
import { tellFolders } from './tell-folders.ts'
import { ofSelected } from './watch.ts'
import { flagsText } from './wire/flags.ts'
import { setText } from './wire/message-sets.ts'

/** The folder is gone: nothing of what the client knows is true any more. */
export class FolderGone extends Error {
  override name = 'FolderGone'
}

/**
 * Without `mayExpunge` no sequence number changes: FETCH, STORE and SEARCH go on with those that the client knows (RFC 9051 §7.5.1).
 * @throws FolderGone
 */
export const sync = async (session: Session, may: { mayExpunge: boolean }): Promise<void> => {
  session.hasNews = false
  if (session.view !== null) await syncSelected(session, may)
  await tellFolders(session)
  session.out.send()
}

const syncSelected = async (
  session: Session,
  { mayExpunge }: { mayExpunge: boolean },
): Promise<void> => {
  const watched = session.watch === null ? null : ofSelected(session.watch)
  // The events of messages go together.
  if (watched !== null && !watched.events.has('MESSAGENEW')) return
  const selected = selectedOf(session)
  const { view } = selected
  const { changed, gone, modseq } = await changesSince(selected)
  for (const uid of gone) if (view.sequenceOf(uid) > 0) view.gone.add(uid)
  if (mayExpunge && view.gone.size > 0) {
    tellGone(session, view, [...view.gone])
    view.gone.clear()
  }
  const lastUid = view.lastUid
  const fresh = changed.flatMap(({ uid }) => (uid > lastUid ? [uid] : []))
  if (fresh.length > 0) {
    view.add(fresh)
    session.out.line(`* ${view.count} EXISTS`)
  }
  for (const row of changed) {
    if (view.told.get(row.uid) === row.modseq || view.gone.has(row.uid)) continue
    if (watched === null) tellFlags(session, view, row)
    else if (row.uid > lastUid) continue
    else if (watched.events.has('FLAGCHANGE')) tellFlags(session, view, row)
    else view.hasUntold = true
  }
  view.told.clear()
  view.modseq = Math.max(view.modseq, modseq)
  if (view.gone.size === 0 && !view.hasUntold) view.completeModseq = view.modseq
  const items = watched?.newItems ?? []
  if (items.length > 0)
    await tellMessages(selected, fresh, items, { changedSince: null, seen: new Set() })
}

const changesSince = async ({
  app,
  who,
  mailboxId,
  view,
}: Selecting): Promise<{ changed: FlagsRow[]; gone: number[]; modseq: number }> => {
  try {
    const changes = await changesInFolder(app, who, mailboxId, view.folderId, view.modseq)
    if (!changes.isForgotten) return changes
    const { uids, modseq, changed } = await openFolder(
      app,
      who,
      mailboxId,
      { folderId: view.folderId },
      view.modseq,
    )
    const present = new Set(uids)
    return { changed, modseq, gone: [...view.uids()].filter((uid) => !present.has(uid)) }
  } catch (error) {
    if (error instanceof AppError && error.type === 'NOT_EXISTS') throw new FolderGone()
    throw error
  }
}

/** Forgets the messages, and says so. `uids`: of this folder. */
export const tellGone = (session: Session, view: MailboxView, uids: readonly number[]): void => {
  const known = uids.filter((uid) => view.sequenceOf(uid) > 0).toSorted((a, b) => a - b)
  if (known.length === 0) return
  const sequences = view.remove(known)
  for (const uid of known) view.gone.delete(uid)
  if (session.enabled.has('QRESYNC')) session.out.line(`* VANISHED ${setText(known)}`)
  else for (const sequence of sequences) session.out.line(`* ${sequence} EXPUNGE`)
}

export const tellFlags = (session: Session, view: MailboxView, row: FlagsRow): void => {
  const sequence = view.sequenceOf(row.uid)
  if (sequence === 0) return
  const items = [`UID ${row.uid}`, `FLAGS ${flagsText(row)}`]
  if (knowsModseq(session)) {
    items.push(`MODSEQ (${row.modseq})`)
    view.noteTold(row.modseq)
  }
  session.out.line(`* ${sequence} FETCH (${items.join(' ')})`)
}
