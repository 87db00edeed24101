/** RCPT as smtp-server asks for it: what was found out is kept for DATA, and guessing is ended. */
import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '#server/app.ts'
import { type AcceptedRecipient, acceptRecipient, type Client } from './accept-recipient.ts'
import { refuseListed } from './block-lists.ts'
import { openGuessing } from './guessing.ts'
import { noteReason } from './log-mail.ts'
import type { Places } from './places.ts'
import { refusalOf, SmtpRefusal } from './smtp-refusal.ts'

const MAX_REFUSED_RECIPIENTS = 20

/** What RCPT found out, for DATA. */
export const accepted = new WeakMap<SMTPServerAddress, AcceptedRecipient>()

export const recipientHandler = (
  app: App,
  places: Pick<Places, 'heard' | 'isKnown'>,
  maxGuesses?: number,
): NonNullable<SMTPServerOptions['onRcptTo']> => {
  const refusedOf = new WeakMap<SMTPServerSession, number>()
  const guessing = openGuessing(app, places.isKnown, maxGuesses)
  const refuseListedOnce = oncePerSession(({ remoteAddress }) => refuseListed(app, remoteAddress))
  const accept = async (address: SMTPServerAddress, session: SMTPServerSession) => {
    guessing.refuseGuesser(session.remoteAddress)
    try {
      const client = clientOf(session, () => refuseListedOnce(session))
      accepted.set(address, await acceptRecipient(app, address.address, client))
      places.heard(session.id, 'mail')
    } catch (error) {
      if (!isUnknownRecipient(error)) throw error
      const refused = (refusedOf.get(session) ?? 0) + 1
      refusedOf.set(session, refused)
      await guessing.count(session.remoteAddress)
      // Somebody is guessing addresses.
      if (refused > MAX_REFUSED_RECIPIENTS)
        throw new SmtpRefusal('421', 'Too many unknown recipients')
      throw error
    }
  }
  return (address, session, done) => {
    accept(address, session).then(
      () => done(),
      (error: unknown) => {
        noteReason(session, error)
        done(closing(refusalOf(app, error)))
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

/** With 421 the connection ends, which smtp-server does for the number alone. */
const closing = (refusal: SmtpRefusal): Error =>
  refusal.responseCode === '421'
    ? Object.assign(new Error(refusal.message), { responseCode: 421 })
    : refusal
