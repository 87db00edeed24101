/** RCPT handler for smtp-server: keeps the result for DATA, and stops address guessing. */
import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { MAX_RECIPIENTS } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { FindRecipient, TakenRecipient } from '#server/features/intake/take-recipient.ts'
import { findRecipient, type Recipient } from '#server/features/mailboxes/find-recipient.ts'
import { openCache } from '#server/lib/cache.ts'
import { acceptRecipient, type Client, refuseListed } from './accept-recipient.ts'
import { openGuessing } from './guessing.ts'
import { Blocked, isClientAllowed } from './listed-senders.ts'
import { noteReason } from './log-mail.ts'
import type { Places } from './places.ts'
import { refusalOf, SmtpRefusal } from './smtp-refusal.ts'

const MAX_REFUSED_RECIPIENTS = 20

/** The results of RCPT, for DATA. */
export const accepted = new WeakMap<SMTPServerAddress, TakenRecipient>()

export const recipientHandler = (
  app: App,
  places: Pick<Places, 'heard' | 'isKnown'>,
  maxGuesses?: number,
): NonNullable<SMTPServerOptions['onRcptTo']> => {
  const refusedOf = new WeakMap<SMTPServerSession, number>()
  const guessing = openGuessing(app, places.isKnown, maxGuesses)
  const refuseListedOnce = oncePerSession(({ remoteAddress }) => refuseListed(app, remoteAddress))
  const finderOf = oncePerSession(rememberingFinder)
  const accept = async (address: SMTPServerAddress, session: SMTPServerSession) => {
    guessing.refuseGuesser(session.remoteAddress)
    try {
      const client = {
        ...clientOf(app, session, () => refuseListedOnce(session)),
        find: finderOf(session),
      }
      accepted.set(address, await acceptRecipient(app, address.address, client))
      places.heard(session.id, 'mail')
    } catch (error) {
      if (!isUnknownRecipient(error)) throw error
      const refused = (refusedOf.get(session) ?? 0) + 1
      refusedOf.set(session, refused)
      await guessing.count(session.remoteAddress)
      // The client guesses addresses.
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

/** A temporary refusal is not a guess, and neither is one of a blocked sender, whose server may be that of many. */
const isUnknownRecipient = (error: unknown): boolean =>
  error instanceof SmtpRefusal && !(error instanceof Blocked) && error.responseCode.startsWith('5')

/** A client that sends many mails to one recipient asks for it once a second. Only mailboxes: what is refused may be there the next moment. */
const rememberingFinder = (): FindRecipient => {
  const mailboxes = openCache<Recipient>({ most: MAX_RECIPIENTS, keepMs: 1_000 })
  return async (app, address) => {
    const known = mailboxes.get(address)
    if (known) return known
    const found = await findRecipient(app, address)
    if (found.kind === 'mailbox') mailboxes.set(address, found)
    return found
  }
}

const oncePerSession = <T>(ask: (session: SMTPServerSession) => T) => {
  const answers = new WeakMap<SMTPServerSession, T>()
  return (session: SMTPServerSession): T => {
    const answer = answers.get(session) ?? ask(session)
    answers.set(session, answer)
    return answer
  }
}

const clientOf = (app: App, session: SMTPServerSession, refuse: Client['refuseListed']): Client => {
  const { remoteAddress: ip, hostNameAppearsAs: helo } = session
  const sender = { ip, helo, mailFrom: mailFromOf(session) }
  return {
    ...sender,
    declaredBytes: declaredBytes(session),
    refuseListed: refuse,
    isAllowed: () => isClientAllowed(app, sender),
  }
}

export const mailFromOf = ({ envelope: { mailFrom } }: SMTPServerSession): string =>
  mailFrom === false ? '' : mailFrom.address

/** The SIZE parameter of MAIL. Without it, a mailbox is full only when no byte is left. */
const declaredBytes = ({ envelope }: SMTPServerSession): number => {
  const { mailFrom } = envelope
  const size = mailFrom === false ? undefined : (mailFrom.args as Record<string, unknown>)?.SIZE
  return Number(size) || 1
}

/** 421 ends the connection; smtp-server does so only for a numeric code. */
const closing = (refusal: SmtpRefusal): Error =>
  refusal.responseCode === '421'
    ? Object.assign(new Error(refusal.message), { responseCode: 421 })
    : refusal
