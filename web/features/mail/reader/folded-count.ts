/** Above and below the open message; more are folded into one line. */
const SHOWN_LINES = 4

/**
 * How many messages after the first are folded into one line. The last ones say most and stay, and so does all from the first
 * on that nobody has read. One alone takes no more room than that line.
 */
export const foldedCount = (messages: readonly { isRead: boolean }[]): number => {
  const unread = messages.findIndex(({ isRead }, at) => at > 0 && !isRead)
  const beforeUnread = unread < 0 ? messages.length : unread - 1
  const count = Math.min(messages.length - SHOWN_LINES, beforeUnread)
  return count < 2 ? 0 : count
}
