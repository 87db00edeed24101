/** LOGIN and AUTHENTICATE (RFC 9051 §6.2.2, §6.2.3, RFC 4616). Passwords are taken over TLS only. */
import { signInToMailbox } from '#server/features/programs/sign-in-to-mailbox.ts'
import { capabilitiesOf } from '../capabilities.ts'
import { Refusal } from '../refusal.ts'
import type { Session } from '../session.ts'
import type { Named } from '../wire/command.ts'

export const logIn = async (
  session: Session,
  { user, password }: Named<'LOGIN'>,
): Promise<string> => {
  requireTls(session)
  return signIn(session, user, password)
}

/** `ask` sends a challenge in base64 and reads the answer; null: the client gave up. */
export const authenticate = async (
  session: Session,
  { mechanism, initial }: Named<'AUTHENTICATE'>,
  ask: (challenge: string) => Promise<string | null>,
): Promise<string> => {
  requireTls(session)
  if (mechanism === 'PLAIN') {
    const [, user = '', password = ''] = textOf(initial ?? (await ask(''))).split('\0')
    return signIn(session, user, password)
  }
  if (mechanism !== 'LOGIN') throw new Refusal('', 'PLAIN and LOGIN are known here')
  const user = textOf(initial ?? (await ask(base64('Username:'))))
  return signIn(session, user, textOf(await ask(base64('Password:'))))
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const textOf = (answer: string | null): string => {
  if (answer === null || answer === '*') throw new Refusal('', 'The sign-in was given up')
  return answer === '=' ? '' : Buffer.from(answer, 'base64').toString('utf8')
}

const requireTls = ({ isSecure, signIn: known }: Session): void => {
  if (known !== null) throw new Refusal('', 'You have signed in already')
  if (!isSecure) throw new Refusal('PRIVACYREQUIRED', 'Please use TLS: STARTTLS, or the other port')
}

const codes = {
  ...{ wrong: 'AUTHENTICATIONFAILED', throttled: 'LIMIT', expired: 'EXPIRED' },
  ...{ suspended: 'AUTHORIZATIONFAILED', inactive: 'AUTHORIZATIONFAILED' },
  ...{ scope: 'AUTHORIZATIONFAILED', 'own-password': 'AUTHORIZATIONFAILED' },
  ...{ factor: 'AUTHORIZATIONFAILED', 'no-factor': 'AUTHORIZATIONFAILED' },
} as const

const signIn = async (session: Session, login: string, password: string): Promise<string> => {
  const { app, ip } = session
  const answer = await signInToMailbox(app, { login, password, ip, scope: 'imap' })
  if ('refused' in answer) throw new Refusal(codes[answer.refused], answer.message)
  session.signIn = answer
  return `[CAPABILITY ${capabilitiesOf(session)}] Welcome`
}
