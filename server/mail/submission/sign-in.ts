/** AUTH PLAIN and LOGIN (RFC 4954, 4616): over TLS only, which smtp-server sees to. */
import type { SMTPServerAuthentication, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '#server/app.ts'
import { signInToMailbox } from '#server/features/programs/sign-in-to-mailbox.ts'
import { inAscii } from '#server/lib/plain-text.ts'
import { SmtpRefusal } from '../inbound/smtp-refusal.ts'
import type { Clients } from './clients.ts'
import { refusalOf } from './refusal.ts'

/** Of one connection; the last one ends it. */
const MAX_FAILURES = 5

export const signInHandler = (
  app: App,
  clients: Clients,
): NonNullable<SMTPServerOptions['onAuth']> => {
  const failures = new WeakMap<SMTPServerSession, number>()
  const signIn = async (
    { username, password }: SMTPServerAuthentication,
    session: SMTPServerSession,
  ): Promise<string> => {
    const { id, remoteAddress: ip } = session
    const given = { login: username ?? '', password: password ?? '' }
    const answer = await signInToMailbox(app, { ...given, ip, scope: 'smtp' })
    if (!('refused' in answer)) {
      await clients.signIn(id, answer)
      return answer.email
    }
    const failed = (failures.get(session) ?? 0) + 1
    failures.set(session, failed)
    const code = answer.refused === 'throttled' ? '454 4.7.0' : '535 5.7.8'
    throw new SmtpRefusal(failed < MAX_FAILURES ? code : '421', inAscii(answer.message))
  }
  return (auth, session, done) => {
    signIn(auth, session).then(
      (user) => done(null, { user }),
      (error: unknown) => done(refusalOf(app, error)),
    )
  }
}
