/** What a mailbox has learnt from 'junk' and 'not junk': see server/standards/junk/junk-model.ts. */
export type JunkModelsTable = {
  mailboxId: string
  workspaceId: string
  counters: Buffer
  junkCount: number
  goodCount: number
}

/** Senders that had to try again, and those who did. The key is a hash of who writes to whom. */
export type GreylistTable = {
  key: Buffer
  seenAt: Date
  /** null: has not come back yet. */
  passedAt: Date | null
  expiresAt: Date
}
