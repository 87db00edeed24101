/** What is mailed when somebody changes the e-mail or the password of their own account. */
import { compose, greet, type Mail } from './mail-templates.ts'

export const newEmailMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Confirm your new email address',
    greeting: greet(firstName),
    before: ['please confirm that this is to be the email address of your Mailstead account.'],
    button: { label: 'Confirm email', link },
    after: [
      'The link works once, for 24 hours.',
      'If you did not ask for this, do not open the link: without it nothing happens.',
    ],
  })

export const noNewEmailMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'This address cannot be that of an account',
    greeting: greet(firstName),
    before: [
      'somebody, we hope you, asked to make this the email address of their Mailstead account.',
      'Other people may read this mailbox too, so no link was mailed to it: with it they could take over the account.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, ignore this mail: nothing was changed.'],
  })

const ifNotYou =
  'If that was not you, set a new password right away: it ends every session and withdraws the change.'

export const emailChangeAskedMail = (firstName: string, email: string, forgotUrl: string): Mail =>
  compose({
    subject: 'Your email address is about to change',
    greeting: greet(firstName),
    before: [
      `somebody who knows the password of your Mailstead account asked to change its email address to ${email}. This takes effect when the link that we mailed there is opened.`,
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
      `the email address of your Mailstead account is now ${email}. Mail of the account no longer comes here.`,
      'If that was not you, write to whoever runs this Mailstead:',
    ],
    button: { label: 'Open Mailstead', link: helpUrl },
    after: [],
  })

export const ownPasswordChangedMail = (firstName: string, forgotUrl: string): Mail =>
  compose({
    subject: 'Your password was changed',
    greeting: greet(firstName),
    before: [
      'the password of your Mailstead account was just changed, and every other session was signed out.',
      'If that was not you, set a new password right away:',
    ],
    button: { label: 'Set a new password', link: forgotUrl },
    after: [],
  })

/** Of the holder of a mailbox, who gets no link by mail. */
export const mailboxPasswordChangedMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'The password of this mailbox was changed',
    greeting: greet(firstName),
    before: [
      'the password that you sign in to this mailbox with was just changed, and every other session was signed out.',
      'If that was not you, ask your administrator for a new link right away.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: [],
  })
