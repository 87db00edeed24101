/**
 * The sign-in of mail programs, for the doors of IMAP and submission: an app password of the mailbox, or the password of its
 * holder (decision 096), who has no second factor (decision 116). A right app password is one look-up by its hash and never waits for a throttle; only passwords that
 * people choose can be guessed, and are counted as at log-in.
 */
import { AppError } from '#contract/errors.ts'
import type { Scope } from '#contract/mail/app-passwords.ts'
import type { App } from '#server/app.ts'
import { countGuess, verifyPassword } from '#server/features/accounts/passwords.ts'
import { logSignInFailed, logSignInThrottled } from '#server/features/accounts/start-session.ts'
import { addressIn } from '#server/lib/address-text.ts'
import { printable } from '#server/lib/plain-text.ts'
import { parseAddress } from '#server/standards/address.ts'
import { hashAppPassword } from './app-password-text.ts'
import { type FoundHolder, findByHash, findHolderAt } from './app-passwords-store.ts'
import { mailAppPasswordNeeded } from './mail-app-password-needed.ts'
import { noteUse } from './note-use.ts'
import { type Refusal, type RefusedSignIn, refuse, whyRefused } from './refused-sign-in.ts'
import { type SignIn, toSignIn } from './sign-in.ts'

export type Credentials = { login: string; password: string; scope: Scope; ip: string }

/** Longer ones are nobody's, and cost nothing. */
const MAX_LOGIN = 320
const MAX_PASSWORD = 300

/** `'refused' in` the answer tells a refusal, with a sentence for the person at the program. */
export const signInToMailbox = async (
  app: App,
  credentials: Credentials,
): Promise<SignIn | RefusedSignIn> => {
  const given = { ...credentials, ip: addressIn(credentials.ip) ?? credentials.ip }
  const address = addressOf(given.login)
  const isTooLong = given.login.length > MAX_LOGIN || given.password.length > MAX_PASSWORD
  const answer = isTooLong
    ? refuse('wrong', given.scope)
    : ((await byAppPassword(app, given, address)) ?? (await byOwnPassword(app, given, address)))
  if ('refused' in answer) logRefusal(app, given, address, answer)
  else await noteUse(app, answer)
  return answer
}

const addressOf = (login: string): string => {
  const typed = printable(login.slice(0, MAX_LOGIN).toWellFormed()).trim()
  return parseAddress(typed)?.address ?? typed.toLowerCase()
}

/** null: no app password of this mailbox. */
const byAppPassword = async (
  app: App,
  { password, scope, ip }: Credentials,
  address: string,
): Promise<SignIn | RefusedSignIn | null> => {
  const hash = hashAppPassword(password)
  if (hash === null) return null
  const found = await findByHash(app.db, hash, address, app.clock.now())
  if (!found) return null
  const why = whyRefused(found, scope, app.clock.now())
  if (why !== null) return why === 'wrong' ? null : refuse(why, scope)
  return toSignIn(found, { scope, ip, appPasswordId: found.appPasswordId })
}

/** An unknown address is answered like a wrong password, in the same time. */
const byOwnPassword = async (
  app: App,
  given: Credentials,
  address: string,
): Promise<SignIn | RefusedSignIn> => {
  const { scope, ip } = given
  const holder = await findHolderAt(app.db, address, app.clock.now())
  const verdict = await checkPassword(app, given, address, holder)
  if (typeof verdict !== 'boolean') return refuse('throttled', scope, verdict.retryAfterSeconds)
  if (!verdict || !holder) return refuse('wrong', scope)
  const why = whyRefused(holder, scope, app.clock.now())
  if (why === 'own-password' || why === 'factor') await mailAppPasswordNeeded(app, holder, why)
  return why === null ? toSignIn(holder, { scope, ip, appPasswordId: null }) : refuse(why, scope)
}

/**
 * A program with an old password repeats it all day: the same wrong one is answered from memory and counted no more, so that
 * it shuts nobody out who is behind the same address.
 */
const checkPassword = async (
  app: App,
  { password, ip }: Credentials,
  address: string,
  holder: FoundHolder | undefined,
): Promise<boolean | { retryAfterSeconds: number }> => {
  const stored = holder?.passwordHash ?? null
  const account = holder?.account ?? address
  const mac = app.secrets.mac('program-password', account, stored ?? '', password)
  const key = mac.toString('base64')
  const known = app.caches.programPasswords.get(key)
  if (known === false) return false
  const guess = await countGuess(app, account, ip)
  if (guess.retryAfterSeconds > 0) return guess
  try {
    const isRight = known ?? (await verifyPassword(password, stored, ip))
    app.caches.programPasswords.set(key, isRight)
    if (isRight) await guess.takeBack()
    return isRight
  } catch (error) {
    if (!(error instanceof AppError) || error.type !== 'UNAVAILABLE') throw error
    await guess.takeBack()
    return { retryAfterSeconds: error.retryAfterSeconds ?? 1 }
  }
}

const logRefusal = (
  app: App,
  client: { ip: string },
  address: string,
  { refused, retryAfterSeconds }: RefusedSignIn,
): void => {
  if (refused === 'throttled') logSignInThrottled(app, client, address, retryAfterSeconds)
  else logSignInFailed(app, client, address, reasonOf(refused))
}

const reasonOf = (refused: Exclude<Refusal, 'throttled'>) =>
  refused === 'wrong'
    ? 'password'
    : refused === 'factor' || refused === 'no-factor'
      ? 'second-factor'
      : refused
