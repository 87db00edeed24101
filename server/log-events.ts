/** Every event of the log with its fields (decision 037): ids and addresses, never what a mail says, and no secret. */
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
  /** '' when it was kept here. */
  host: string
  ip: string
  tls: boolean
  reply: string
  attempts: number
}
type Caller = { ip: string; network: string; email: string }

export type LogEvents = {
  'mail-accepted': SmtpClient & {
    /** As the sender read it after 250, and as Received names it. */
    id: string
    from: string
    to: readonly string[]
    bytes: number
  }
  'mail-refused': SmtpClient & {
    at: 'connection' | 'sender' | 'recipient' | 'data'
    from: string
    to: readonly string[]
    /** What the client was told. */
    reply: string
    why: 'rule' | 'disk-full' | 'database-away' | 'blob-store-away' | 'fault'
  }
  'mail-delivered': Delivery
  'mail-deferred': Delivery
  'mail-bounced': Delivery
  'signed-in': Caller & { userId: string; by: 'password' | 'google' | 'mailed-link' | 'invitation' }
  /** `own-password`: of somebody at an open session, who changes what needs it. `email` is '' when Google named nobody. */
  'sign-in-failed': Caller & {
    why: 'password' | 'own-password' | 'not-verified' | 'suspended' | 'busy' | 'google'
  }
  'sign-in-throttled': Caller & { retryAfterSeconds: number }
  'signed-up': Caller & { userId: string }
  'right-changed': {
    /** null for an account. */
    workspaceId: string | null
    what: 'account' | 'member' | 'invitation' | 'mailbox' | 'domain' | 'dns-link'
    objectId: string
    /** In the words of the contract, such as Admin, removed, given or taken-back. */
    change: string
    /** Who did it, and whose right it is when that is somebody else's: an id, or as the access log writes people. */
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
