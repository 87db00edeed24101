/** Tells a client what has happened to mailboxes that it watches and has not selected (RFC 5465 §5). */
import { listLine, pathText, statusLine } from './folder-lines.ts'
import { foldersOf } from './folders.ts'
import { isInside, isSubscribed, type NamedFolder } from './named-folder.ts'
import { knowsModseq, readerOf, type Session } from './session.ts'
import { isWatched } from './watch.ts'
import type { EventGroup, NotifyEvent, StatusItem } from './wire/command.ts'

type Folders = ReadonlyMap<string, NamedFolder>

/** By their ids. */
export const readFolders = async (session: Session): Promise<Folders> =>
  new Map((await foldersOf(readerOf(session))).map((folder) => [folder.id, folder]))

export const tellFolders = async (session: Session): Promise<void> => {
  const { watch, view } = session
  const before = watch?.folders ?? null
  if (watch === null || before === null) return
  const now = await readFolders(session)
  watch.folders = now
  for (const folder of before.values())
    if (!now.has(folder.id)) tellGone(session, watch.groups, folder)
  for (const folder of now.values()) {
    const old = before.get(folder.id)
    if (isNewsOfFolder(watch.groups, old, folder)) tellListed(session, now, folder, old)
    if (old !== undefined && folder.id !== view?.folderId && hasChanged(watch.groups, old, folder))
      session.out.line(statusOf(session, folder))
  }
}

/** As it is now, of each whose messages are watched. */
export const tellAll = (session: Session, groups: readonly EventGroup[], all: Folders): void => {
  for (const folder of all.values())
    if (folder.id !== session.view?.folderId && isWatched(groups, folder, 'MESSAGENEW'))
      session.out.line(statusOf(session, folder))
}

const statusOf = (session: Session, folder: NamedFolder): string => {
  const items: StatusItem[] = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN']
  if (knowsModseq(session)) items.push('HIGHESTMODSEQ')
  return statusLine(session, folder, items)
}

const hasChanged = (groups: readonly EventGroup[], old: NamedFolder, now: NamedFolder): boolean => {
  const isIn = (event: NotifyEvent) => isWatched(groups, now, event)
  if (old.highestModseq === now.highestModseq) return false
  // What came and what left changes one of these.
  const hasOthers = old.uidNext !== now.uidNext || old.messageCount !== now.messageCount
  return hasOthers ? isIn('MESSAGENEW') : isIn('FLAGCHANGE')
}

const isNewsOfFolder = (
  groups: readonly EventGroup[],
  old: NamedFolder | undefined,
  now: NamedFolder,
): boolean => {
  const isIn = (event: NotifyEvent) =>
    isWatched(groups, now, event) || (old !== undefined && isWatched(groups, old, event))
  if (old?.path !== now.path) return isIn('MAILBOXNAME')
  return isSubscribed(old) !== isSubscribed(now) && isIn('SUBSCRIPTIONCHANGE')
}

/** With its former name (RFC 5465 §5.4). */
const tellListed = (
  session: Session,
  all: Folders,
  folder: NamedFolder,
  old: NamedFolder | undefined,
): void => {
  const isRenamed = old !== undefined && old.path !== folder.path
  session.out.line(
    listLine(session, folder, {
      name: 'LIST',
      hasChildren: all.values().some((each) => isInside(each, folder)),
      attributes: isSubscribed(folder) ? ['\\Subscribed'] : [],
      extended: isRenamed ? `"OLDNAME" (${pathText(session, old.path)})` : null,
    }),
  )
}

const tellGone = (session: Session, groups: readonly EventGroup[], folder: NamedFolder): void => {
  if (isWatched(groups, folder, 'MAILBOXNAME'))
    session.out.line(`* LIST (\\NonExistent) "/" ${pathText(session, folder.path)}`)
}
