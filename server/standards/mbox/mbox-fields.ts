/**
 * What mbox has no place for: the folder and the flags of a message. They stand in three lines before its header, the
 * flags as many programs write them, and are taken off again by what reads them here.
 */

export type MboxFields = {
  /** A role, or the name of a folder of one's own. */
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

/** The fields that a message begins with, and how long they are; null when we did not write it. `start`: its first bytes. */
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
