/** The name in From. */
export const shownName = (mailbox: {
  displayName: string
  firstName: string
  lastName: string
}): string => mailbox.displayName || `${mailbox.firstName} ${mailbox.lastName}`.trim()
