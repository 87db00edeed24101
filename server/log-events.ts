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
    why: 'rule' | 'disk-full' | 'database-away' | 'blob-store-away' | 'fault'
  }
  'mail-delivered': Delivery
  'mail-deferred': Delivery
  'mail-bounced': Delivery
  'signed-in': Caller & { userId: string; by: 'password' | 'google' | 'mailed-link' | 'invitation' }
  /**
   * `own-password`: a signed-in user who has to confirm a change with the password. `email` is '' when Google returned no
   * address.
   */
  'sign-in-failed': Caller & {
    why: 'password' | 'own-password' | 'not-verified' | 'suspended' | 'busy' | 'google'
  }
  'sign-in-throttled': Caller & { retryAfterSeconds: number }
  'signed-up': Caller & { userId: string }
  'right-changed': {
    /** null for a right of an account. */
    workspaceId: string | null
    what: 'account' | 'workspace' | 'member' | 'invitation' | 'mailbox' | 'domain' | 'dns-link'
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
  'sign-in-failed': ['network', 'email', 'why'],
  'sign-in-throttled': ['network'],
}

export const openLogEvents = (
  log: Pick<Logger, 'info'>,
  options?: RepeatOptions,
): EventLog<LogEvents> => openEvents<LogEvents>(log, countedBy, options)
