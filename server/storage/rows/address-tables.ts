/** Another address of a mailbox. Unique in the installation, among mailboxes too: whoever takes one locks its domain. */
export type AliasesTable = {
  id: string
  workspaceId: string
  /** Of the address; the mailbox may be under another domain of the workspace. */
  domainId: string
  mailboxId: string
  /** Lower case, A-labels. */
  email: string
  createdAt: Date
}

/** The mailbox that gets what is for nobody else in a domain. */
export type CatchAllsTable = {
  domainId: string
  workspaceId: string
  mailboxId: string
}
