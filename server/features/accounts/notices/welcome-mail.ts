import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import type { Db } from '#server/storage/database.ts'

type Opened = { email: string; firstName: string }

export const mailWelcome = (app: App, tx: Db, { email, firstName }: Opened): Promise<void> =>
  sendSystemMail(app, tx, {
    ...{ to: email, ...welcomeMail(firstName, app.config.publicUrl) },
    link: null,
  })

/** Once, when an address was first verified and its account has a workspace of its own. */
export const welcomeMail = (firstName: string, publicUrl: string): Mail =>
  compose({
    subject: 'Welcome to Mailstead',
    preview: 'Your account is open. Three steps, and mail works on your domain.',
    greeting: greet(firstName),
    before: [
      'Your account is open. These three steps come next:',
      '1. Add your domain, and prove that it is yours with one DNS record.',
      '2. Publish the records that we show you. Each is checked, and we say what to correct.',
      '3. Create mailboxes, and hand each to the person who will use it.',
      'Mail keeps arriving where it does now until you change the MX record, which is the last step.',
    ],
    button: { label: 'Add your domain', link: `${publicUrl}/dashboard/add-domain` },
    after: [`You can always log in at ${publicUrl}/login`],
    reason: 'You get this mail once, because you opened an account with this address.',
  })
