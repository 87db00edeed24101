/** Mails a person what was changed about how they sign in, each with the link that ends the session which changed it. */
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail, quoted } from '#server/features/outbox/system-mail.ts'
import type { Db } from '#server/storage/database.ts'
import type { UserRecord } from '../auth-store.ts'
import { endingLinkFor } from '../sessions/ending-link.ts'

type Owner = Pick<UserRecord, 'firstName' | 'email'>

/** `what`: a sentence, such as 'A passkey named “Phone” was added.'. `sessionId`: that changed it; null: no session did. */
export const mailFactorChanged = async (
  app: App,
  tx: Db,
  user: Owner,
  what: string,
  sessionId: string | null,
): Promise<void> => {
  const mail = factorChangedMail(user, what, linkOf(app, sessionId))
  await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
}

/** `name`: of the key. */
export const mailKeyMade = async (
  app: App,
  tx: Db,
  user: Owner,
  name: string,
  sessionId: string | null,
): Promise<void> => {
  const mail = keyMadeMail(user, name, linkOf(app, sessionId))
  await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
}

/** The same for a key that may do more than before. */
export const mailKeyWidened = async (
  app: App,
  tx: Db,
  user: Owner,
  name: string,
  sessionId: string | null,
): Promise<void> => {
  const mail = keyWidenedMail(user, name, linkOf(app, sessionId))
  await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
}

const linkOf = (app: App, sessionId: string | null): EndingLink =>
  sessionId === null
    ? { label: 'Open the security page', link: `${app.config.publicUrl}/dashboard/security` }
    : { label: 'It was not me: end that session', link: endingLinkFor(app, sessionId) }

export type EndingLink = { label: string; link: string }

const AFTER = [
  'The link needs no sign-in, and works as long as the session does. Then set a new password, and look at what else was changed.',
  'If it was you, you can ignore this mail.',
]

export const factorChangedMail = ({ firstName }: Owner, what: string, button: EndingLink): Mail =>
  compose({
    subject: 'How you sign in to Mailstead was changed',
    preview: `${what} If it was you, there is nothing to do.`,
    greeting: greet(firstName),
    before: [what, 'If that was not you, act now: somebody else is signed in to your account.'],
    button,
    after: AFTER,
    reason: 'You get this mail for the safety of your account.',
  })

export const keyMadeMail = ({ firstName }: Owner, name: string, button: EndingLink): Mail =>
  compose({
    subject: 'An API key of your Mailstead account was made',
    preview: `It is named “${quoted(name, 60)}”. If it was you, there is nothing to do.`,
    greeting: greet(firstName),
    before: [
      `An API key named “${quoted(name, 60)}” was just made. Programs that have it act for you.`,
      'If that was not you, act now: end the session that made it, and then the key itself.',
    ],
    button,
    after: AFTER,
    reason: 'You get this mail for the safety of your account.',
  })

export const keyWidenedMail = ({ firstName }: Owner, name: string, button: EndingLink): Mail =>
  compose({
    subject: 'An API key of your Mailstead account may do more now',
    preview: `It is named “${quoted(name, 60)}”. If it was you, there is nothing to do.`,
    greeting: greet(firstName),
    before: [
      `An API key named “${quoted(name, 60)}” was just changed, and may do more than before. Programs that have it act for you.`,
      'If that was not you, act now: end the session that changed it, and then the key itself.',
    ],
    button,
    after: AFTER,
    reason: 'You get this mail for the safety of your account.',
  })
