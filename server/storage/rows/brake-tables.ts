/** One message to others, for 24 hours. Without a mailbox it still counts for its workspace. */
export type SendingsTable = {
  id: string
  workspaceId: string
  mailboxId: string | null
  at: Date
  /** Those outside this installation only. */
  recipients: number
  /** Of these, those that the mailbox had never written to. */
  newRecipients: number
}

/** Whom a mailbox has ever written to. */
export type CorrespondentsTable = {
  mailboxId: string
  workspaceId: string
  /** Lower case, A-labels. */
  address: string
}

/** Deliveries that another server refused for good, for 24 hours. */
export type BouncesTable = {
  deliveryId: string
  mailboxId: string
  workspaceId: string
  at: Date
}

/** One burst of bounces; at most one of a mailbox is not resumed (unique index). */
export type SendingStopsTable = {
  id: string
  mailboxId: string
  workspaceId: string
  stoppedAt: Date
  failed: number
  ended: number
  example: string
  resumedAt: Date | null
}
