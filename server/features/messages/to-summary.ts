import type { Folder, FolderRole, MessageSummary, Person } from '#contract/messages.ts'
import { oneLine, personName } from '#server/standards/mime/encoded-words.ts'
import { FORWARDED } from './marks-store.ts'
import type { FolderRow, SummaryRow } from './messages-store.ts'

/** What can be answered: longer ones, and lines broken by their sender, were stored as they came. */
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
