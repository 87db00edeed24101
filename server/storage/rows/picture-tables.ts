/** A sender whose pictures from elsewhere are shown in this mailbox without a question. */
export type PictureSendersTable = {
  id: string
  workspaceId: string
  mailboxId: string
  /** Lower case; unique in the mailbox. */
  address: string
  createdAt: Date
}
