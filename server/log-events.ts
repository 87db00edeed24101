/** Every log event with its fields (decision 037): ids and addresses; never the content of a mail, never a secret. */
import type { Logger } from 'pino'
import { type CountedBy, type EventLog, openEvents } from './lib/log/events.ts'
import type { RepeatOptions } from './lib/log/repeats.ts'

type SmtpClient = { ip: string; network: string; helo: string }
type Delivery = {
  deliveryId: string
  messageId: string
  workspaceId: string | null
  from: string
  to: string
  /** '' when it was delivered locally. */
  host: string
  ip: string
  tls: boolean
  reply: string
  attempts: number
}
type Caller = { ip: string; network: string; email: string }
type ProgramCaller = Caller & {
  userId: string
  mailboxId: string
  /** null: the holder's own password. */
  appPasswordId: string | null
  scope: 'imap' | 'smtp'
}

export type LogEvents = {
  'mail-accepted': SmtpClient & {
    /** The id in the reply to the sender and in Received. */
    id: string
    from: string
    to: readonly string[]
    bytes: number
  }
  'mail-refused': SmtpClient & {
    at: 'connection' | 'sender' | 'recipient' | 'data'
    from: string
    to: readonly string[]
    /** The SMTP reply to the client. */
    reply: string
    /** `blocked`: by an operator. */
    why: 'rule' | 'blocked' | 'disk-full' | 'database-away' | 'blob-store-away' | 'fault'
  }
  /** A mail program handed in a mail. */
  'mail-submitted': Omit<ProgramCaller, 'email' | 'scope'> & {
    /** The id in the reply to the program and in Received. */
    id: string
    from: string
    to: readonly string[]
    bytes: number
    /** It was handed in before, and goes out once. */
    isRepeat: boolean
  }
  'submission-refused': SmtpClient & {
    /** null: nobody has signed in. */
    mailboxId: string | null
    at: 'connection' | 'sender' | 'recipient' | 'data'
    from: string
    to: readonly string[]
    /** The SMTP reply to the program. */
    reply: string
  }
  'mail-delivered': Delivery
  'mail-deferred': Delivery
  'mail-bounced': Delivery
  /** Another server passed on a complaint about mail of this mailbox. `kind`: abuse, fraud ... */
  'complaint-received': { workspaceId: string; mailboxId: string; kind: string; reporter: string }
  /** The first step; a second factor may have followed. */
  'signed-in': Caller & {
    userId: string
    by: 'password' | 'google' | 'mailed-link' | 'invitation' | 'passkey'
  }
  /** A mail program; counted, because it signs in again every few minutes. */
  'program-signed-in': ProgramCaller
  /** The first use of a password from this network; here the /24 or /48. */
  'program-network-new': ProgramCaller
  /**
   * `own-password`: a signed-in user who has to confirm a change with the password. `email` is '' when Google returned no
   * address. `second-factor`: after the right password. `inactive`, `expired` and `scope`: a mail program with the right password.
   */
  'sign-in-failed': Caller & {
    why:
      | ('password' | 'own-password' | 'not-verified' | 'suspended' | 'busy' | 'google')
      | ('inactive' | 'expired' | 'scope' | 'second-factor' | 'passkey')
  }
  /** A request with a key that does not exist, or not any more. */
  'key-refused': { ip: string; network: string; why: 'unknown' | 'expired' | 'network' }
  /** Authenticator app, passkey or recovery codes. */
  'second-factor-changed': { userId: string; email: string; change: string }
  'sign-in-throttled': Caller & { retryAfterSeconds: number }
  'signed-up': Caller & { userId: string }
  /** `expiresAt` and `nextLookAt`: ISO 8601. `why`: a sentence. */
  /** `place`: without its password. */
  'backup-made': {
    id: string
    place: string
    rows: number
    blobs: number
    missing: number
    writtenBytes: number
    /** Old backups that went. */
    removed: number
  }
  'certificate-issued': { name: string; expiresAt: string }
  'certificate-refused': { name: string; why: string; nextLookAt: string }
  'certificate-revoked': { name: string; reason: string }
  /** A payment by card in another currency than was asked for: it settles nothing, and waits for an operator. */
  'payment-held': {
    workspaceId: string
    invoiceId: string
    /** Of the payment at Stripe. */
    stripeId: string
    why: 'currency'
  }
  'right-changed': {
    /** null for a right of an account. */
    workspaceId: string | null
    what:
      | 'account'
      | 'workspace'
      | 'member'
      | 'invitation'
      | 'mailbox'
      | 'domain'
      | 'dns-link'
      | 'app-password'
      | 'webhook'
      | 'api-key'
    objectId: string
    /** A word of the contract, such as Admin, removed, given or taken-back. */
    change: string
    /** `by`: the user who changed the right; `whose`: the user whose right it is. Ids, or names as in the access log. */
    by: string
    whose: string
  }
}

export type LogEvent = EventLog<LogEvents>['logEvent']

const countedBy: CountedBy<LogEvents> = {
  'mail-refused': ['network', 'at', 'reply', 'why'],
  'submission-refused': ['network', 'mailboxId', 'at', 'reply'],
  'program-signed-in': ['network', 'mailboxId', 'userId', 'appPasswordId', 'scope'],
  'sign-in-failed': ['network', 'email', 'why'],
  'key-refused': ['network', 'why'],
  'sign-in-throttled': ['network'],
}

export const openLogEvents = (
  log: Pick<Logger, 'info'>,
  options?: RepeatOptions,
): EventLog<LogEvents> => openEvents<LogEvents>(log, countedBy, options)
