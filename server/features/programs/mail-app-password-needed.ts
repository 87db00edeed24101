/** Mails a holder whose mail program uses their own password still: once after each change of their second factors. */
import type { App } from '#server/app.ts'
import { noteProgramTold } from '#server/features/factors/change-factors.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import type { FoundHolder } from './app-passwords-store.ts'

export const mailAppPasswordNeeded = (
  app: App,
  { userId, account, firstName, mailboxId }: FoundHolder,
): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    if (!(await noteProgramTold(tx, userId))) return
    const link = `${app.config.publicUrl}/dashboard/mail-box-settings?mailbox=${mailboxId}#app-passwords`
    const mail = appPasswordNeededMail(firstName, account, link)
    await sendSystemMail(app, tx, { to: account, ...mail, link: null })
  })

export const appPasswordNeededMail = (firstName: string, address: string, link: string): Mail =>
  compose({
    subject: `A mail program needs an app password for ${address}`,
    greeting: greet(firstName),
    before: [
      `A mail program tried to open ${address} with your own password, and was refused: you have a second factor, which mail programs cannot ask for.`,
      'Please make an app password and enter it in the mail program.',
    ],
    button: { label: 'Make an app password', link },
    after: ['If you use no mail program, somebody knows your password: please set a new one.'],
    reason: 'You get this mail once after each change of your second factors.',
  })
