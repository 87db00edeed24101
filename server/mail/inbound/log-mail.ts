/** Log events of incoming mail. */
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { isDiskFull } from '#server/lib/files/data-folder.ts'
import type { LogEvents } from '#server/log-events.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { Blocked } from './listed-senders.ts'
import { onRefusal, SmtpRefusal } from './smtp-refusal.ts'

export const logAccepted = (
  app: App,
  session: SMTPServerSession,
  { id, bytes }: { id: string; bytes: number },
): void => {
  const { remoteAddress: ip, hostNameAppearsAs, envelope } = session
  app.logEvent('mail-accepted', {
    ...{ id, bytes, ip, network: networkOf(ip), helo: hostNameAppearsAs || '' },
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
  })
}

/** Logs every refusing reply, including those that smtp-server generates itself. */
export const logRefusals = (app: App, server: SMTPServer): void => {
  onRefusal(server, ({ session, ip, ...refusal }) => {
    const why = whyOf(reasons.get(session), refusal.reply)
    reasons.delete(session)
    app.logEvent('mail-refused', { ...refusal, why, ip, network: networkOf(ip) })
  })
}

const reasons = new WeakMap<SMTPServerSession, unknown>()

/** Stores the error behind the next reply. */
export const noteReason = (session: SMTPServerSession, error: unknown): void => {
  reasons.set(session, error)
}

const whyOf = (error: unknown, reply: string): LogEvents['mail-refused']['why'] => {
  if (isDatabaseAway(error)) return 'database-away'
  if (isDiskFull(error)) return 'disk-full'
  if (error instanceof BlobStoreAway) return 'blob-store-away'
  if (error instanceof Blocked) return 'blocked'
  // Without an error the reply is a rule of smtp-server, which answers 451 for its own faults.
  if (error === undefined) return reply.startsWith('451') ? 'fault' : 'rule'
  return error instanceof SmtpRefusal || error instanceof AppError ? 'rule' : 'fault'
}
