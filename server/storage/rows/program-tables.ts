import type { Scope } from '#contract/mail/app-passwords.ts'

/** A password of one mail program of one reader of a mailbox. Deleted with the right to read. */
export type AppPasswordsTable = {
  id: string
  workspaceId: string
  mailboxId: string
  userId: string
  name: string
  /** SHA-256 of the password as it is compared; unique. */
  secretHash: Buffer
  scopes: Scope[]
  createdAt: Date
  /** null: until it is ended. */
  expiresAt: Date | null
}

/** From which networks a password was used; one row per password and network. */
export type ProgramUsesTable = {
  workspaceId: string
  mailboxId: string
  userId: string
  /** null: the holder's own password. */
  appPasswordId: string | null
  /** The /24 or /48 of the address. */
  network: string
  /** The address of the last use. */
  ip: string
  /** What it was last used for. */
  scope: Scope
  /** What the program says of itself; '' when it says nothing. */
  program: string
  firstAt: Date
  lastAt: Date
  /** The mail about the first use waits. */
  isUntold: boolean
}
