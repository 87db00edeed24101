/** Why a mail program may not sign in, in a sentence for the person in front of it. Pure. */
import { isFactorDue } from '#contract/account/required-factor.ts'
import type { Scope } from '#contract/mail/app-passwords.ts'
import type { FoundHolder, FoundPassword } from './app-passwords-store.ts'

export type Refusal =
  | 'wrong'
  | 'throttled'
  | 'expired'
  | 'suspended'
  | 'inactive'
  | 'scope'
  | 'own-password'
  | 'factor'
  | 'no-factor'

/** `retryAfterSeconds` is 0 where waiting does not help. */
export type RefusedSignIn = { refused: Refusal; message: string; retryAfterSeconds: number }

const OTHER_SCOPE: Record<Scope, string> = {
  imap: 'This app password is for sending mail only',
  smtp: 'This app password is for reading mail only',
}

export const refuse = (refused: Refusal, scope: Scope, retryAfterSeconds = 0): RefusedSignIn => {
  const sentences: Record<Refusal, string> = {
    wrong:
      'The address or the password is not right. The settings of the mailbox make app passwords',
    throttled: 'Too many wrong passwords. Please try again later',
    expired:
      'This app password has expired. Please make another one in the settings of the mailbox',
    suspended:
      'This mailbox is suspended. It still receives mail; ask your administrator to resume it',
    inactive: 'This mailbox is not active',
    'own-password':
      'Mail programs need an app password here. Please make one in the settings of the mailbox',
    factor:
      'You have a second factor, so mail programs need an app password. The settings of the mailbox make one',
    'no-factor':
      'A second factor is required here, and you have none. Please sign in on the web page and set one up',
    scope: OTHER_SCOPE[scope],
  }
  return { refused, message: sentences[refused], retryAfterSeconds }
}

/** null: it may sign in. Only whoever has the right password learns more than 'wrong'. */
export const whyRefused = (
  found: FoundHolder | FoundPassword,
  scope: Scope,
  now: Date,
): Refusal | null => {
  // The right to read is a member's or a holder's; who is neither any more has lost it.
  if (found.role === null) return 'wrong'
  if ('scopes' in found) {
    if (found.expiresAt !== null && found.expiresAt <= now) return 'expired'
    if (!found.scopes.includes(scope)) return 'scope'
  } else if (found.needsAppPasswords) return 'own-password'
  else if (found.hasFactor) return 'factor'
  if (isFactorDue(found, now)) return 'no-factor'
  if (found.endsAt !== null || found.ownEndsAt !== null) return 'inactive'
  if (found.status === 'suspended' || found.ownStatus === 'suspended') return 'suspended'
  return found.status === 'inactive' ? 'inactive' : null
}
