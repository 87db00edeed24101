/** RCPT as smtp-server asks for it: what was found out is kept for DATA, and guessing is ended. */
import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '#server/app.ts'
import { type AcceptedRecipient, acceptRecipient, type Client } from './accept-recipient.ts'
import { refuseListed } from './clients/block-lists.ts'
import { refusalOf } from './refusal-of.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

const MAX_REFUSED_RECIPIENTS = 20

/** What RCPT found out, for DATA. */
export const accepted = new WeakMap<SMTPServerAddress, AcceptedRecipient>()

export const recipientHandler = (app: App): NonNullable<SMTPServerOptions['onRcptTo']> => {
  const refusedOf = new WeakMap<SMTPServerSession, number>()
  const refuseListedOnce = oncePerSession(({ remoteAddress }) => refuseListed(app, remoteAddress))
  return (address, session, done) => {
    const client = clientOf(session, () => refuseListedOnce(session))
    acceptRecipient(app, address.address, client).then(
      (recipient) => {
        accepted.set(address, recipient)
        done()
      },
      (error: unknown) => {
        const refused = (refusedOf.get(session) ?? 0) + (isUnknownRecipient(error) ? 1 : 0)
        refusedOf.set(session, refused)
        // Somebody is guessing addresses.
        if (refused > MAX_REFUSED_RECIPIENTS) done(closing('Too many unknown recipients'))
        else done(refusalOf(app, error))
      },
    )
  }
}

/** Who may come again has not guessed. */
const isUnknownRecipient = (error: unknown): boolean =>
  error instanceof SmtpRefusal && error.responseCode.startsWith('5')

const oncePerSession = <T>(ask: (session: SMTPServerSession) => Promise<T>) => {
  const answers = new WeakMap<SMTPServerSession, Promise<T>>()
  return (session: SMTPServerSession): Promise<T> => {
    const answer = answers.get(session) ?? ask(session)
    answers.set(session, answer)
    return answer
  }
}

const clientOf = (session: SMTPServerSession, refuse: Client['refuseListed']): Client => ({
  ip: session.remoteAddress,
  helo: session.hostNameAppearsAs,
  mailFrom: mailFromOf(session),
  declaredBytes: declaredBytes(session),
  refuseListed: refuse,
})

export const mailFromOf = ({ envelope: { mailFrom } }: SMTPServerSession): string =>
  mailFrom === false ? '' : mailFrom.address

/** What MAIL said with SIZE. Without it a full mailbox is one that has no byte left. */
const declaredBytes = ({ envelope }: SMTPServerSession): number => {
  const { mailFrom } = envelope
  const size = mailFrom === false ? undefined : (mailFrom.args as Record<string, unknown>)?.SIZE
  return Number(size) || 1
}

/** With 421 the connection ends. */
const closing = (text: string): Error => Object.assign(new Error(text), { responseCode: 421 })
