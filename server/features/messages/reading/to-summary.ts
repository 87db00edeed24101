import type { Folder, FolderRole, MessageSummary, Person } from '#contract/messages.ts'
import type { FolderRow } from '../messages-store.ts'
import { FORWARDED } from '../sending/marks-store.ts'

export type SummaryRow = {
  id: string
  subject: string
  from: Person | null
  to: Person[]
  date: Date
  preview: string
  isRead: boolean
  isStarred: boolean
  isAnswered: boolean
  keywords: string[]
  hasAttachments: boolean
  sizeBytes: number
}

export const toSummary = (row: SummaryRow): MessageSummary => ({
  _id: row.id,
  subject: row.subject,
  from: row.from,
  to: row.to,
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
