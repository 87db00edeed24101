/** Mails a person that an API key acts in their name, or may do more, with the link that ends the session which did it. */
import type { App } from '#server/app.ts'
import { AFTER_ENDING, type EndingLink, endingButton } from '#server/features/outbox/ending-link.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail, quoted } from '#server/features/outbox/system-mail.ts'
import type { Db } from '#server/storage/database.ts'
import type { UserRecord } from '../auth-store.ts'

type Owner = Pick<UserRecord, 'firstName' | 'email'>

/** `name`: of the key. `sessionId`: that made it. */
export const mailKeyMade = async (
  app: App,
  tx: Db,
  user: Owner,
  name: string,
  sessionId: string,
): Promise<void> => {
  const mail = keyMadeMail(user, name, endingButton(app, sessionId))
  await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
}

/** The same for a key that may do more than before. */
export const mailKeyWidened = async (
  app: App,
  tx: Db,
  user: Owner,
  name: string,
  sessionId: string,
): Promise<void> => {
  const mail = keyWidenedMail(user, name, endingButton(app, sessionId))
  await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
}

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
    after: AFTER_ENDING,
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
    after: AFTER_ENDING,
    reason: 'You get this mail for the safety of your account.',
  })
