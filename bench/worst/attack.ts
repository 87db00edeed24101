/** One attack, and what it knows of the attacked installation. */

/** A user with a session, and with a mailbox when `mailboxId` is set. */
export type Account = {
  token: string
  /** '' without a mailbox. */
  mailboxId: string
}

export type WorstWorld = {
  /** The product's URL without a trailing slash. */
  httpUrl: string
  smtpPort: number
  /** A domain whose mail the product receives. */
  domain: string
  /** An address of the attacked tenant that receives mail, never of the honest one. */
  recipient: string
  /** Signed up, without a domain or a mailbox. */
  freeAccounts: Account[]
  /** Has a second factor; the attacker knows the password. */
  guarded: { email: string; password: string }
  /** A member of a workspace with a mailbox that sends and receives. */
  tenant: Account
}

export type Attack = {
  name: string
  who: 'stranger' | 'free account' | 'tenant' | 'sender'
  /** Attacks until the signal aborts, then closes what it opened; runs in a separate process. */
  run(world: WorstWorld, signal: AbortSignal): Promise<void>
}
