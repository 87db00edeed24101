/**
 * The folder and flags of a message, for which mbox has no place. The export writes them as three header lines, with flags as
 * other programs write them, and the import removes those lines.
 */
import type { HeaderLine } from '../message-lines.ts'
import { decodeWords } from '../mime/encoded-words.ts'

export type MboxFields = {
  /** A role, or the name of a user's own folder. */
  folder: { role: string } | { name: string }
  isRead: boolean
  isStarred: boolean
  isAnswered: boolean
}

const OURS = /^X-Mailstead-Folder: (\S{1,1000})\nStatus: (R?)O\nX-Status: (A?)(F?)\n/

export const mailboxFields = ({ folder, isRead, isStarred, isAnswered }: MboxFields): string =>
  [
    `X-Mailstead-Folder: ${'role' in folder ? folder.role : `/${encodeURIComponent(folder.name)}`}`,
    `Status: ${isRead ? 'R' : ''}O`,
    `X-Status: ${isAnswered ? 'A' : ''}${isStarred ? 'F' : ''}`,
    '',
  ].join('\n')

/**
 * Returns the fields at the start of a message and their length; null when they were not written by us. `start`: the first bytes
 * of the message.
 */
export const readMailboxFields = (start: string): { fields: MboxFields; length: number } | null => {
  const found = OURS.exec(start)
  const [all = '', folder = '', read, answered, starred] = found ?? []
  const place = folder.startsWith('/') ? nameOf(folder.slice(1)) : { role: folder }
  if (found === null || place === null) return null
  return {
    fields: {
      folder: place,
      isRead: read === 'R',
      isStarred: starred === 'F',
      isAnswered: answered === 'A',
    },
    length: all.length,
  }
}

const nameOf = (encoded: string): { name: string } | null => {
  try {
    return { name: decodeURIComponent(encoded) }
  } catch {
    return null
  }
}

/** Flags that mail programs write into message headers of an mbox file: Pine and mutt, Mozilla, Google Takeout. */
export type StatusFlags = {
  isRead: boolean
  isStarred: boolean
  isAnswered: boolean
  isGone: boolean
  folders: ({ role: string } | { name: string })[]
}

const MOZILLA = { read: 0x0001, answered: 0x0002, starred: 0x0004, gone: 0x0008 }

/** A message without flags counts as read: imported mail is not new. */
export const flagsOf = (header: readonly HeaderLine[]): StatusFlags => {
  const status = fieldOf(header, 'status')
  const more = fieldOf(header, 'x-status') ?? ''
  const bits = Number.parseInt(fieldOf(header, 'x-mozilla-status') ?? '', 16)
  const mozilla = Number.isNaN(bits) ? null : bits
  const labels = labelsOf(fieldOf(header, 'x-gmail-labels') ?? '')
  const has = (label: string) => labels.some((each) => each.toLowerCase() === label)
  const readSigns = [
    status?.includes('R'),
    mozilla !== null && (mozilla & MOZILLA.read) !== 0,
    labels.length > 0 && !has('unread'),
  ]
  const hasNoFlags = status === undefined && mozilla === null && labels.length === 0
  return {
    isRead: hasNoFlags || readSigns.some(Boolean),
    isStarred: more.includes('F') || has('starred') || ((mozilla ?? 0) & MOZILLA.starred) !== 0,
    isAnswered: more.includes('A') || ((mozilla ?? 0) & MOZILLA.answered) !== 0,
    isGone: more.includes('D') || ((mozilla ?? 0) & MOZILLA.gone) !== 0,
    folders: foldersOf(labels, more.includes('T')),
  }
}

const fieldOf = (header: readonly HeaderLine[], wanted: string): string | undefined => {
  const line = header.find(({ name }) => name === wanted)?.line
  return line
    ?.slice(line.indexOf(':') + 1, 10_000)
    .replaceAll('\r\n', '')
    .trim()
}

const labelsOf = (value: string): string[] =>
  decodeWords(value)
    .split(',')
    .map((label) => label.trim().replace(/^"|"$/g, ''))
    .filter((label) => label !== '')

/** A message has many labels but one folder: the first match in this order. */
const roles = [
  ...([
    ['trash', 'trash'],
    ['spam', 'junk'],
    ['drafts', 'drafts'],
    ['draft', 'drafts'],
    ['sent', 'sent'],
    ['inbox', 'inbox'],
  ] as const),
]
const notFolders = new Set([
  ...['unread', 'opened', 'starred', 'important', 'archived', 'chat', 'chats', 'muted'],
  ...['all mail', 'snoozed', 'scheduled'],
])

const foldersOf = (labels: string[], isDraft: boolean): StatusFlags['folders'] => {
  const lower = labels.map((label) => label.toLowerCase())
  const byRole = roles.filter(([label]) => lower.includes(label)).map(([, role]) => ({ role }))
  const own = labels
    .filter((_label, n) => {
      const label = lower[n] ?? ''
      return (
        !notFolders.has(label) &&
        !label.startsWith('category ') &&
        !roles.some(([r]) => r === label)
      )
    })
    .map((name) => ({ name }))
  const archive = labels.length > 0 ? [{ role: 'archive' }] : []
  return [...(isDraft ? [{ role: 'drafts' }] : []), ...byRole, ...own, ...archive]
}
