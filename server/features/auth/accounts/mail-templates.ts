/** The system mails of sign-up and sign-in: the same words as text and as HTML. */
import { escapeHtml } from '#server/lib/escape-html.ts'

export type Mail = { subject: string; text: string; html: string; link: string | null }

/** Mail programs make links of such names by themselves. */
export const isLikeALink = (name: string): boolean => /:\/\/|@|\p{L}\.\p{L}{2}/u.test(name)

/** Anybody may name the address of somebody else, and call themselves by one that leads to another place. */
export const greet = (firstName: string): string =>
  isLikeALink(firstName) ? 'Hello,' : `Hello ${firstName},`

export const verificationMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Verify your email address',
    greeting: greet(firstName),
    before: ['please confirm that this is your email address, to finish your Mailstead account.'],
    button: { label: 'Verify email', link },
    after: [
      'The link works once, for 24 hours.',
      'If you did not sign up, do not open the link: without it nothing happens.',
    ],
  })

export const noVerificationMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'No link to verify your email address',
    greeting: greet(firstName),
    before: [
      'somebody, we hope you, asked for a Mailstead account with this email address.',
      'Other people may read this mailbox too, so no link was mailed to it: with it they could sign in to your account.',
      'Sign up with another address, or ask an Admin to let you sign in to this mailbox.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, ignore this mail: nothing happens.'],
  })

export const noPasswordMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Your account has no password yet',
    greeting: greet(firstName),
    before: [
      'your Mailstead account is open. It has no password: the link was not asked for in the browser that you signed up with, or somebody else signed up with your address too.',
      'Choose a password before you log in the next time:',
    ],
    button: { label: 'Choose a password', link: forgotPasswordUrl },
    after: [],
  })

export const resetMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Reset your password',
    greeting: greet(firstName),
    before: ['somebody, we hope you, asked to set a new password for your Mailstead account.'],
    button: { label: 'Set a new password', link },
    after: [
      'The link works once, for 60 minutes. Setting a password signs you out everywhere.',
      'If you did not ask for this, ignore this mail: your password stays as it is.',
    ],
  })

export const noResetMail = (firstName: string, loginUrl: string): Mail =>
  compose({
    subject: 'No link to reset your password',
    greeting: greet(firstName),
    before: [
      'somebody, we hope you, asked to set a new password for your Mailstead account.',
      'Other people may read this mailbox too, so no link was mailed to it: with it they could take over your account.',
      'Once an Admin has ended their right to read this mailbox, ask for the link again.',
    ],
    button: { label: 'Log in', link: loginUrl },
    after: ['If you did not ask for this, ignore this mail: your password stays as it is.'],
  })

export const googleJoinedMail = (firstName: string, forgotPasswordUrl: string): Mail =>
  compose({
    subject: 'Google sign-in was added to your account',
    greeting: greet(firstName),
    before: [
      'somebody, we hope you, just signed in to your Mailstead account with a Google account of this address. It can be used to sign in from now on; your password works as before.',
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
      'the password of your Mailstead account was just changed, and every session was signed out.',
      'If that was not you, set a new password right away:',
    ],
    button: { label: 'Set a new password', link: forgotPasswordUrl },
    after: [],
  })

type Content = {
  subject: string
  greeting: string
  before: string[]
  button: { label: string; link: string }
  after: string[]
}

export const compose = ({ subject, greeting, before, button, after }: Content): Mail => ({
  subject,
  link: button.link,
  text: `${[greeting, ...before, button.link, ...after, 'Mailstead'].join('\n\n')}\n`,
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(subject)}</h1>
${paragraphs([greeting, ...before])}
<p style="margin:24px 0"><a href="${escapeHtml(button.link)}" style="display:inline-block;padding:12px 20px;background:#1d4ed8;color:#ffffff;border-radius:8px;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#52525b">Or open this address:<br><a href="${escapeHtml(button.link)}" style="color:#1d4ed8;word-break:break-all">${escapeHtml(button.link)}</a></p>
${paragraphs(after)}
</div>
</body>
</html>
`,
})

const paragraphs = (texts: readonly string[]): string =>
  texts.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n')
