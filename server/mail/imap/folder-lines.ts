/** How clients are told of a folder: LIST and STATUS (RFC 9051 §7.3.1, §7.3.4). */
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import type { FolderUse } from '#server/features/messages/by-uid/folder-states.ts'
import { DELIMITER, type NamedFolder, specialUses } from './named-folder.ts'
import { type Session, takesUtf8 } from './session.ts'
import type { StatusItem } from './wire/command.ts'
import { nameText } from './wire/mailbox-names.ts'

type Listed = {
  name: 'LIST' | 'LSUB'
  hasChildren: boolean
  /** Behind the usual ones. */
  attributes: readonly string[]
  /** What stands behind the name (RFC 5258 §6). */
  extended: string | null
}

export const listLine = (
  session: Session,
  { role, path }: Pick<NamedFolder, 'role' | 'path'>,
  { name, hasChildren, attributes, extended }: Listed,
): string => {
  const use = specialUses[role ?? 'inbox']
  const all = [
    hasChildren ? '\\HasChildren' : '\\HasNoChildren',
    ...(use ? [use] : []),
    ...attributes,
  ]
  const info = extended === null ? '' : ` (${extended})`
  return `* ${name} (${all.join(' ')}) "${DELIMITER}" ${pathText(session, path)}${info}`
}

/** `use`: where SIZE or DELETED is asked for; undefined for a folder without messages. */
export const statusLine = (
  session: Session,
  folder: NamedFolder,
  items: readonly StatusItem[],
  use?: FolderUse,
): string => {
  const values: Record<StatusItem, string | number> = {
    ...{ MESSAGES: folder.messageCount, RECENT: 0, UIDNEXT: folder.uidNext },
    ...{ UIDVALIDITY: folder.uidValidity, UNSEEN: folder.unreadCount },
    DELETED: use?.deleted ?? 0,
    SIZE: use?.bytes ?? 0,
    HIGHESTMODSEQ: Math.max(1, folder.highestModseq),
    MAILBOXID: `(${folder.id})`,
    APPENDLIMIT: MAX_MESSAGE_BYTES,
  }
  const told = items.map((item) => `${item} ${values[item]}`).join(' ')
  return `* STATUS ${pathText(session, folder.path)} (${told})`
}

export const pathText = (session: Session, path: string): string =>
  nameText(path, takesUtf8(session))
