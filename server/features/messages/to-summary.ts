import type { Folder, FolderRole, MessageSummary, Person } from '#contract/messages.ts'
import type { FolderRow } from '#server/features/mailboxes/folder-queries.ts'
import { oneLine } from '#server/lib/plain-text.ts'
import { personName } from '#server/standards/mime/encoded-words.ts'
import { FORWARDED } from './change-queries.ts'
import type { SummaryRow } from './message-queries.ts'

/** The longest subject that an answer may have; received subjects may be longer or contain line breaks. */
const MAX_SUBJECT = 900

export const toPerson = ({ name, address }: Person): Person => ({
  name: personName(name),
  address: oneLine(address, 320),
})

export const toSummary = (row: SummaryRow): MessageSummary => ({
  _id: row.id,
  subject: oneLine(row.subject, MAX_SUBJECT),
  from: row.from && toPerson(row.from),
  to: row.to.map(toPerson),
  date: row.date.toISOString(),
  preview: row.preview,
  isRead: row.isRead,
  isStarred: row.isStarred,
  isAnswered: row.isAnswered,
  isForwarded: row.keywords.includes(FORWARDED),
  hasAttachments: row.hasAttachments,
  size: row.sizeBytes,
})

export const toFolder = (row: FolderRow): Folder => ({
  _id: row.id,
  role: row.role,
  name: row.name,
  messages: row.messageCount,
  unread: row.unreadCount,
})

/** How the API names a folder: its role, or the id of one of the user's own. */
export const folderName = (folder: { id: string; role: FolderRole | null }): string =>
  folder.role ?? folder.id
