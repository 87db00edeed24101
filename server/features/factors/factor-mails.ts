/** What a person is told when their second factors change. Pure. */
import { AFTER_ENDING, type EndingLink } from '#server/features/outbox/ending-link.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'

export type ChangedFactor =
  | 'totp-added'
  | 'totp-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-made'
  | 'recovery-code-used'

const changes: Record<ChangedFactor, { subject: string; sentence: string }> = {
  'totp-added': {
    subject: 'An authenticator app was set up for your Mailstead account',
    sentence: 'An authenticator app was set up: from now on signing in asks for its code.',
  },
  'totp-removed': {
    subject: 'The authenticator app of your Mailstead account was removed',
    sentence: 'The authenticator app of your Mailstead account was removed.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your Mailstead account',
    sentence:
      'A passkey was added: from now on it signs you in, and signing in asks for more than the password.',
  },
  'passkey-removed': {
    subject: 'A passkey of your Mailstead account was deleted',
    sentence: 'A passkey of your Mailstead account was deleted.',
  },
  'recovery-codes-made': {
    subject: 'New recovery codes were made for your Mailstead account',
    sentence: 'New recovery codes were made. The earlier ones work no more.',
  },
  'recovery-code-used': {
    subject: 'A recovery code of your Mailstead account was used',
    sentence: 'A recovery code was just used to confirm that it is you.',
  },
}

/** `button`: ends the session that changed it. `left`: recovery codes that are left. `isFirst`: there was no factor before. */
export const factorChangedMail = (
  firstName: string,
  change: ChangedFactor,
  button: EndingLink,
  { left, isFirst = false }: { left?: number; isFirst?: boolean } = {},
): Mail => {
  const { subject, sentence } = changes[change]
  return compose({
    subject,
    greeting: greet(firstName),
    before: [
      sentence,
      ...(isFirst
        ? ['All other browsers and devices were signed out: there you sign in anew.']
        : []),
      ...(left === undefined ? [] : [leftSentence(left)]),
      'If that was not you, act now: somebody else is signed in to your account.',
    ],
    button,
    after: AFTER_ENDING,
    reason: 'You get this mail for the safety of your account.',
  })
}

const leftSentence = (left: number): string =>
  left === 0
    ? 'None is left. Please make new ones.'
    : `${left} ${left === 1 ? 'code is' : 'codes are'} left. Each works once.`
