/** The system mails of sign-up and sign-in: the same words as text and as HTML. */
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'

export const verificationMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Verify your email address',
    greeting: greet(firstName),
    before: [
      'Please confirm that this is your email address, to finish creating your Mailstead account.',
    ],
    button: { label: 'Verify email', link },
    after: [
      'The link works once, for 24 hours.',
      'If you did not sign up, you can ignore this mail.',
    ],
  })

export const noVerificationMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'No link to verify your email address',
    greeting: greet(firstName),
    before: [
      'We got a request for a Mailstead account with this email address.',
      'Other people may read this mailbox too, so no link was mailed to it: with it they could sign in to your account.',
      'Sign up with another address, or ask an Admin to let you sign in to this mailbox.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, you can ignore this mail.'],
  })

export const noPasswordMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Your account has no password yet',
    greeting: greet(firstName),
    before: [
      'Your Mailstead account is open, but it has no password yet: the link was requested in a different browser than you signed up with, or another person signed up with your address too.',
      'Choose a password before you log in the next time:',
    ],
    button: { label: 'Choose a password', link: forgotPasswordUrl },
    after: [],
  })

export const resetMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Reset your password',
    greeting: greet(firstName),
    before: ['We got a request to reset the password of your Mailstead account.'],
    button: { label: 'Set a new password', link },
    after: [
      'The link works once, for 60 minutes. Setting a password signs you out everywhere.',
      'If you did not ask for this, you can ignore this mail: your password stays as it is.',
    ],
  })

export const noResetMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'No link to reset your password',
    greeting: greet(firstName),
    before: [
      'We got a request to reset the password of your Mailstead account.',
      'Other people may read this mailbox too, so no link was mailed to it: with it they could take over your account.',
      'Once an Admin has ended their right to read this mailbox, ask for the link again.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, you can ignore this mail: your password stays as it is.'],
  })

export const googleJoinedMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Google sign-in was added to your account',
    greeting: greet(firstName),
    before: [
      'Your Mailstead account was just signed in to with a Google account of this address. That Google account can be used to sign in from now on; your password works as before.',
      'If that was not you, set a new password right away: it ends every session and the sign-in with Google.',
    ],
    button: { label: 'Set a new password', link: forgotPasswordUrl },
    after: [],
  })

export const passwordChangedMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Your password was changed',
    greeting: greet(firstName),
    before: [
      'The password of your Mailstead account was just changed, and every session was signed out.',
      'If that was not you, set a new password right away:',
    ],
    button: { label: 'Set a new password', link: forgotPasswordUrl },
    after: [],
  })

/** The mails about a changed e-mail or password. */
export const newEmailMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Confirm your new email address',
    greeting: greet(firstName),
    before: ['Please confirm that this will be the email address of your Mailstead account.'],
    button: { label: 'Confirm email', link },
    after: [
      'The link works once, for 24 hours.',
      'If you did not ask for this, you can ignore this mail.',
    ],
  })

export const noNewEmailMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'This address cannot be that of an account',
    greeting: greet(firstName),
    before: [
      'We got a request to make this the email address of a Mailstead account.',
      'Other people may read this mailbox too, so no link was mailed to it: with it they could take over the account.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, you can ignore this mail: nothing was changed.'],
  })

const ifNotYou =
  'If that was not you, set a new password right away: it ends every session and withdraws the change.'

export const emailChangeRequestedMail = (
  firstName: string,
  email: string,
  forgotUrl: string,
): Mail =>
  compose({
    subject: 'Your email address is about to change',
    greeting: greet(firstName),
    before: [
      `We got a request to change the email address of your Mailstead account to ${email}, made with the password of the account. It takes effect when the link that we mailed there is opened.`,
      ifNotYou,
    ],
    button: { label: 'Set a new password', link: forgotUrl },
    after: [],
  })

export const emailChangedMail = (firstName: string, email: string, helpUrl: string): Mail =>
  compose({
    subject: 'Your email address was changed',
    greeting: greet(firstName),
    before: [
      `The email address of your Mailstead account is now ${email}. Mail of the account no longer comes here.`,
      'If that was not you, write to the operator of this Mailstead:',
    ],
    button: { label: 'Open Mailstead', link: helpUrl },
    after: [],
  })

export const ownPasswordChangedMail = (firstName: string, forgotUrl: string): Mail =>
  compose({
    subject: 'Your password was changed',
    greeting: greet(firstName),
    before: [
      'The password of your Mailstead account was just changed, and every other session was signed out.',
      'If that was not you, set a new password right away:',
    ],
    button: { label: 'Set a new password', link: forgotUrl },
    after: [],
  })

/** For the holder of a mailbox, who gets no link by mail. */
export const mailboxPasswordChangedMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'The password of this mailbox was changed',
    greeting: greet(firstName),
    before: [
      'The password that you sign in to this mailbox with was just changed, and every other session was signed out.',
      'If that was not you, ask your administrator for a new link right away.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: [],
  })
