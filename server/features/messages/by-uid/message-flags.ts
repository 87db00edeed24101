/** The flags of a message, and its keywords beyond them (RFC 9051 §2.3.2). */
export type MessageFlags = {
  isRead: boolean
  isStarred: boolean
  isAnswered: boolean
  isDraft: boolean
  isDeleted: boolean
  keywords: readonly string[]
}

/** Those that are columns of their own. */
export const flagNames = ['isRead', 'isStarred', 'isAnswered', 'isDraft', 'isDeleted'] as const

/** With what tells one change of it from another. */
export type FlagsRow = MessageFlags & { id: string; uid: number; modseq: number }
