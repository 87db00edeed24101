/** MAIL, RCPT and DATA of a mail program that has signed in. */
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '#server/app.ts'
import { networkOf, tryThrottle } from '#server/features/limits/throttle.ts'
import type { SignIn } from '#server/features/programs/sign-in.ts'
import { isStillSignedIn } from '#server/features/programs/watch-sign-ins.ts'
import { submitMessage } from '#server/features/sending/submission/submit-message.ts'
import { checkRecipient, checkSender } from '#server/features/sending/submission/submitting-as.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { isInternational, localPartOf } from '#server/standards/address.ts'
import { checkBytes } from '../inbound/check-message.ts'
import { type Patience, TOO_SLOW } from '../inbound/patience.ts'
import type { DataReader } from '../inbound/read-data.ts'
import { mailFromOf } from '../inbound/recipient-handler.ts'
import { SmtpRefusal } from '../inbound/smtp-refusal.ts'
import type { Clients } from './clients.ts'
import { refusalOf } from './refusal.ts'

export type Taking = {
  clients: Clients
  data: DataReader
  slow: Patience
  cut(id: string, reason: string): void
}

type Handlers = Required<Pick<SMTPServerOptions, 'onMailFrom' | 'onRcptTo' | 'onData'>>

/** Refused addresses of our own domains that a mailbox may ask for in an hour. */
const GUESSES = { limit: 200, windowSeconds: HOUR_SECONDS }

export const mailHandlers = (app: App, taking: Taking): Handlers => {
  const { clients } = taking
  const answer = (work: Promise<unknown>, done: (error?: Error | null) => void): void => {
    work.then(
      () => done(),
      (error: unknown) => done(refusalOf(app, error)),
    )
  }
  return {
    onMailFrom: ({ address }, session, done) =>
      answer(takeSender(app, clients, session, address), done),
    onRcptTo: (recipient, session, done) =>
      answer(
        takeRecipient(app, clients, session, recipient.address).then((address) => {
          recipient.address = address
        }),
        done,
      ),
    onData: (stream, session, done) => {
      takeMessage(app, taking, stream, session).then(
        (id) => done(null, `Accepted as ${id}`),
        (error: unknown) => done(refusalOf(app, error)),
      )
    },
  }
}

/** @throws SmtpRefusal that ends the connection */
const signedIn = async (app: App, clients: Clients, { id }: SMTPServerSession): Promise<SignIn> => {
  const signIn = clients.signInOf(id)
  if (signIn !== undefined && (await isStillSignedIn(app, signIn))) return signIn
  throw new SmtpRefusal('421', 'This sign-in has ended')
}

/** RFC 6531 §3.4: letters beyond ASCII stand in a local part only with SMTPUTF8. @throws SmtpRefusal */
const requireSmtpUtf8 = (session: SMTPServerSession, address: string): void => {
  if (isInternational(localPartOf(address)) && !session.envelope.smtpUtf8)
    throw new SmtpRefusal('553 5.6.7', 'An address with letters beyond ASCII needs SMTPUTF8')
}

const takeSender = async (
  app: App,
  clients: Clients,
  session: SMTPServerSession,
  mailFrom: string,
): Promise<void> => {
  const { who, mailboxId } = await signedIn(app, clients, session)
  requireSmtpUtf8(session, mailFrom)
  await checkSender(app, who, mailboxId, mailFrom)
}

/** Returns the address as deliveries have it. */
const takeRecipient = async (
  app: App,
  clients: Clients,
  session: SMTPServerSession,
  typed: string,
): Promise<string> => {
  requireSmtpUtf8(session, typed)
  const checked = await checkRecipient(app, typed)
  if ('address' in checked) return checked.address
  if (checked.refused === 'no-address')
    throw new SmtpRefusal('553 5.1.3', 'Mail cannot be sent to an address of this form')
  const mailboxId = clients.signInOf(session.id)?.mailboxId ?? ''
  if ((await tryThrottle(app, `unknown-recipients:${mailboxId}`, GUESSES)) > 0)
    throw new SmtpRefusal('421', 'Too many unknown recipients, please try again later')
  throw new SmtpRefusal('550 5.1.1', 'No such mailbox here')
}

const takeMessage = async (
  app: App,
  { clients, data, slow, cut }: Taking,
  stream: Parameters<Handlers['onData']>[0],
  session: SMTPServerSession,
): Promise<string> => {
  const { id: sessionId, remoteAddress: ip, envelope } = session
  const network = networkOf(ip)
  const { workspaceId } = clients.signInOf(sessionId) ?? {}
  const arriving = {
    ...{ network, workspaceIds: workspaceId === undefined ? [] : [workspaceId] },
    cut: () => cut(sessionId, TOO_SLOW),
  }
  return data.withData(stream, arriving, async (raw) => {
    slow.heard(session)
    checkBytes(raw)
    const { who, mailboxId, appPasswordId } = await signedIn(app, clients, session)
    const id = newId()
    const from = mailFromOf(session)
    const to = envelope.rcptTo.map(({ address }) => address)
    const { isRepeat } = await submitMessage(app, who, mailboxId, {
      ...{ id, protocol: protocolOf(session), mailFrom: from, recipients: to, raw },
    })
    app.logEvent('mail-submitted', {
      ...{ id, from, to, bytes: raw.length, isRepeat, ip, network },
      ...{ userId: who.userId, mailboxId, appPasswordId },
    })
    return id
  })
}

/** RFC 6531 §4.3: UTF8SMTPSA. */
const protocolOf = ({ transmissionType, envelope }: SMTPServerSession): string =>
  envelope.smtpUtf8 ? transmissionType.replace('ESMTP', 'UTF8SMTP') : transmissionType
