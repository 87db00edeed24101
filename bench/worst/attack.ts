/** One way to harm others, and what it may know of the world that it attacks. */

/** A person with a session and, where they got that far, a mailbox. */
export type Account = {
  token: string
  /** '' when it has none. */
  mailboxId: string
}

export type WorstWorld = {
  /** Of the product, without a slash at its end. */
  httpUrl: string
  smtpPort: number
  /** A domain whose mail the product takes. */
  domain: string
  /** An address there that takes mail: the attacked one's, never the honest tenant's. */
  recipient: string
  /** Signed up, no domain and no mailbox. */
  freeAccounts: Account[]
  /** Of a workspace with a mailbox that sends and receives. */
  tenant: Account
}

export type Attack = {
  name: string
  who: 'stranger' | 'free account' | 'tenant' | 'sender'
  /** Attacks until the signal aborts, then closes what it opened; runs in a process of its own. */
  run(world: WorstWorld, signal: AbortSignal): Promise<void>
}
