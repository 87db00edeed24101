/** LIST, LSUB, STATUS and NAMESPACE (RFC 9051 §6.3.9 to §6.3.11, RFC 5258, RFC 5819). */
import { readFolderUse } from '#server/features/messages/by-uid/folder-states.ts'
import { listLine, statusLine } from '../folder-lines.ts'
import { findFolder, foldersOf } from '../folders.ts'
import {
  DELIMITER,
  INBOX,
  isInside,
  isSubscribed,
  type NamedFolder,
  specialUses,
} from '../named-folder.ts'
import { type Reader, readerOf, type Session } from '../session.ts'
import type { ListCommand, Named, StatusItem } from '../wire/command.ts'

export const list = async (session: Session, command: ListCommand): Promise<string> => {
  const reader = readerOf(session)
  const { patterns, reference, name } = command
  if (patterns.length === 1 && patterns[0] === '') {
    session.out.line(`* ${name} (\\Noselect) "${DELIMITER}" ""`)
    return 'Listed'
  }
  const folders = await foldersOf(reader)
  const use = await readUseFor(reader, command.status)
  const shown = folders.filter(({ path }) =>
    patterns.some((pattern) => isMatch(path, `${reference}${pattern}`)),
  )
  for (const folder of shown) {
    if (!isChosen(folder, folders, command)) continue
    session.out.line(listed(folder, folders, command, session))
    if (command.status !== null)
      session.out.line(statusLine(session, folder, command.status, use.get(folder.id)))
  }
  return 'Listed'
}

const isChosen = (
  folder: NamedFolder,
  all: readonly NamedFolder[],
  { name, selects }: ListCommand,
): boolean => {
  if (selects.has('SPECIAL-USE') && specialUses[folder.role ?? 'inbox'] === undefined) return false
  if (name !== 'LSUB' && !selects.has('SUBSCRIBED')) return true
  if (isSubscribed(folder)) return true
  return (
    selects.has('RECURSIVEMATCH') &&
    all.some((each) => isSubscribed(each) && isInside(each, folder))
  )
}

const listed = (
  folder: NamedFolder,
  all: readonly NamedFolder[],
  { name, selects, returns, isExtended }: ListCommand,
  session: Session,
): string => {
  const inner = all.filter((each) => isInside(each, folder))
  const tellsSubscribed =
    isExtended && (selects.has('SUBSCRIBED') || returns.has('SUBSCRIBED')) && isSubscribed(folder)
  const hasInner = selects.has('RECURSIVEMATCH') && inner.some(isSubscribed)
  return listLine(session, folder, {
    name,
    hasChildren: inner.length > 0,
    attributes: tellsSubscribed ? ['\\Subscribed'] : [],
    extended: hasInner ? '"CHILDINFO" ("SUBSCRIBED")' : null,
  })
}

/** `*`: anything; `%`: anything within one level. In time of both lengths together, whatever the pattern. */
export const isMatch = (path: string, pattern: string): boolean => {
  const [text, wanted] = /^inbox$/i.test(pattern) ? [path, INBOX] : [path, pattern]
  let reached = new Set([0])
  for (const letter of text) {
    const next = new Set<number>()
    for (const at of past(reached, wanted)) {
      const sign = wanted[at]
      if (sign === '*' || (sign === '%' && letter !== DELIMITER)) next.add(at)
      else if (sign === letter) next.add(at + letter.length)
      else if (sign !== undefined && wanted.startsWith(letter, at)) next.add(at + letter.length)
    }
    if (next.size === 0) return false
    reached = next
  }
  return past(reached, wanted).has(wanted.length)
}

/** With the places behind wildcards, which may stand for nothing. */
const past = (places: ReadonlySet<number>, pattern: string): Set<number> => {
  const all = new Set(places)
  for (const at of all) if (pattern[at] === '*' || pattern[at] === '%') all.add(at + 1)
  return all
}

export const status = async (
  session: Session,
  { mailbox, items }: Named<'STATUS'>,
): Promise<string> => {
  const reader = readerOf(session)
  if (items.includes('HIGHESTMODSEQ')) session.enabled.add('CONDSTORE')
  const folder = await findFolder(reader, mailbox)
  const use = await readUseFor(reader, items)
  session.out.line(statusLine(session, folder, items, use.get(folder.id)))
  return 'Told'
}

type Use = Awaited<ReturnType<typeof readFolderUse>>

/** Only where it is asked for: it reads the rows of all messages. */
const readUseFor = async (
  { app, who, mailboxId }: Reader,
  items: readonly StatusItem[] | null,
): Promise<Use> =>
  items?.some((item) => item === 'SIZE' || item === 'DELETED')
    ? readFolderUse(app, who, mailboxId)
    : new Map()

export const namespace = async (session: Session): Promise<string> => {
  readerOf(session)
  session.out.line(`* NAMESPACE (("" "${DELIMITER}")) NIL NIL`)
  return 'Told'
}
