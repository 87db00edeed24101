/** The system mails of sign-up and sign-in, and of a changed e-mail or password. */
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'

const OF_ACCOUNT = 'You get this mail because a Mailstead account has this address.'
const ONCE_A_DAY = 'The link works once, for 24 hours.'
const WAS_YOU = 'If it was you, you can ignore this mail.'
const END_THAT = 'It was not me: end that session'
const WORKS_ONCE = 'The link needs no sign-in, and works as long as the session does.'
const NOT_YOU = 'If that was not you, set a new password now.'

export const verificationMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Verify your email address for Mailstead',
    preview: 'One click, and your account is open. The link works for 24 hours.',
    greeting: greet(firstName),
    before: [
      'Please confirm that this is your email address. Then your Mailstead account is open.',
    ],
    button: { label: 'Verify email', link },
    after: [ONCE_A_DAY, 'If you did not sign up, you can ignore this mail: no account is opened.'],
    reason: 'You get this mail because this address was given to sign up.',
  })

export const noVerificationMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'No link to verify your email address for Mailstead',
    preview: 'Other people may read this mailbox, so we sent no link.',
    greeting: greet(firstName),
    before: [
      'We got a request for a Mailstead account with this email address.',
      'Other people may read this mailbox too, so we mailed no link to it: with it they could sign in to your account.',
      'Please sign up with another address, or ask an Admin to let you sign in to this mailbox.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, you can ignore this mail.'],
    reason: 'You get this mail because this address was given to sign up.',
  })

export const noPasswordMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Your Mailstead account has no password yet',
    preview: 'Choose one before you log in the next time.',
    greeting: greet(firstName),
    before: [
      'Your Mailstead account is open, but it has no password yet. Either you opened the link in another browser than you signed up with, or another person signed up with your address too.',
      'Please choose a password before you log in the next time.',
    ],
    button: { label: 'Choose a password', link: forgotPasswordUrl },
    after: [],
    reason: OF_ACCOUNT,
  })

export const resetMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Reset your password for Mailstead',
    preview: 'Set a new password within 60 minutes, or ignore this mail.',
    greeting: greet(firstName),
    before: ['We got a request to reset the password of your Mailstead account.'],
    button: { label: 'Set a new password', link },
    after: [
      'The link works once, for 60 minutes. Setting a password signs you out everywhere.',
      'If you did not ask for this, you can ignore this mail: your password stays as it is.',
    ],
    reason: OF_ACCOUNT,
  })

export const noResetMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'No link to reset your password for Mailstead',
    preview: 'Other people may read this mailbox, so we sent no link.',
    greeting: greet(firstName),
    before: [
      'We got a request to reset the password of your Mailstead account.',
      'Other people may read this mailbox too, so we mailed no link to it: with it they could take over your account.',
      'Once an Admin has ended their right to read this mailbox, please ask for the link again.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, you can ignore this mail: your password stays as it is.'],
    reason: OF_ACCOUNT,
  })

export const googleJoinedMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Google sign-in was added to your Mailstead account',
    preview: 'If that was not you, set a new password now.',
    greeting: greet(firstName),
    before: [
      'A Google account with this address just signed in to your Mailstead account. It can be used to sign in from now on, and your password works as before.',
      'If that was not you, set a new password now: it ends every session and the sign-in with Google.',
    ],
    button: { label: 'Set a new password', link: forgotPasswordUrl },
    after: [WAS_YOU],
    reason: OF_ACCOUNT,
  })

export const passwordChangedMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Your Mailstead password was changed',
    preview: 'Every session was signed out. If that was not you, act now.',
    greeting: greet(firstName),
    before: [
      'The password of your Mailstead account was just changed, and every session was signed out.',
      NOT_YOU,
    ],
    button: { label: 'Set a new password', link: forgotPasswordUrl },
    after: [WAS_YOU],
    reason: OF_ACCOUNT,
  })

export const newEmailMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Confirm your new email address for Mailstead',
    preview: 'One click, and you log in with this address.',
    greeting: greet(firstName),
    before: ['Please confirm that this shall be the email address of your Mailstead account.'],
    button: { label: 'Confirm email', link },
    after: [ONCE_A_DAY, 'If you did not ask for this, you can ignore this mail: nothing changes.'],
    reason: 'You get this mail because this address was given in the profile of an account.',
  })

export const noNewEmailMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'This address cannot be that of a Mailstead account',
    preview: 'Other people may read this mailbox, so we sent no link.',
    greeting: greet(firstName),
    before: [
      'We got a request to make this the email address of a Mailstead account.',
      'Other people may read this mailbox too, so we mailed no link to it: with it they could take over the account.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, you can ignore this mail: nothing was changed.'],
    reason: 'You get this mail because this address was given in the profile of an account.',
  })

/** `link`: ends the session that asked. */
export const emailChangeRequestedMail = (firstName: string, email: string, link: string): Mail =>
  compose({
    subject: 'The address of your Mailstead account is about to change',
    preview: 'If you did not ask for this, end the session that did.',
    greeting: greet(firstName),
    before: [
      `We got a request to change the email address of your Mailstead account to ${email}. It was made with the password of the account, and takes effect when the link that we mailed there is opened.`,
      'If that was not you, end the session that asked, and then set a new password: that withdraws the change.',
    ],
    button: { label: END_THAT, link },
    after: [WORKS_ONCE, WAS_YOU],
    reason: OF_ACCOUNT,
  })

type FormerLink = { link: string | null; helpUrl: string }

/** `link`: ends the sessions that changed it; null: they are not known. */
export const emailChangedMail = (
  firstName: string,
  email: string,
  { link, helpUrl }: FormerLink,
): Mail =>
  compose({
    subject: 'The address of your Mailstead account was changed',
    preview: 'Mail of your account no longer comes to this address.',
    greeting: greet(firstName),
    before: [
      `The email address of your Mailstead account is now ${email}. Mail of the account no longer comes here.`,
      'If that was not you, end the session that changed it, and write to the operator of this Mailstead. A link for a new password would go to the new address.',
    ],
    button: link === null ? { label: 'Open Mailstead', link: helpUrl } : { label: END_THAT, link },
    after: link === null ? [WAS_YOU] : [WORKS_ONCE, WAS_YOU],
    reason: 'You get this mail because a Mailstead account had this address until now.',
  })

/** `link`: ends the session that changed it. */
export const ownPasswordChangedMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Your Mailstead password was changed',
    preview: 'Your other sessions were signed out. If that was not you, act now.',
    greeting: greet(firstName),
    before: [
      'The password of your Mailstead account was just changed, and every other session was signed out.',
      'If that was not you, end the session that changed it, and then set a new password.',
    ],
    button: { label: END_THAT, link },
    after: [WORKS_ONCE, WAS_YOU],
    reason: OF_ACCOUNT,
  })

/** For the holder of a mailbox, who gets no link to set a password by mail. `link`: ends the session that changed it. */
export const mailboxPasswordChangedMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'The password of this Mailstead mailbox was changed',
    preview: 'Your other sessions were signed out. If that was not you, act now.',
    greeting: greet(firstName),
    before: [
      'The password that you sign in to this mailbox with was just changed, and every other session was signed out.',
      'If that was not you, end the session that changed it, and ask your administrator for a new link.',
    ],
    button: { label: END_THAT, link },
    after: [WORKS_ONCE, WAS_YOU],
    reason: 'You get this mail because you sign in to this mailbox.',
  })
