/**
 * A holder who forgot their password cannot read a mail to the address that they lost, and whoever else reads it must not
 * get in by it: so the Admins are asked for a new link.
 */
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '../accounts/mail-templates.ts'
import type { UserRecord } from '../auth-store.ts'
import { tryThrottle } from '../throttle.ts'
import { adminsOfMailbox } from './holders-store.ts'

/** Anybody may type the address of a holder. */
const PER_WORKSPACE = { limit: 10, windowSeconds: 24 * 3600 }

export const askAdmins = async (app: App, email: string, mailboxId: string): Promise<void> => {
  const admins = await adminsOfMailbox(app.db, mailboxId)
  const [first] = admins
  if (!first) return
  if ((await tryThrottle(app, `holder-asks:${first.workspaceId}`, PER_WORKSPACE)) > 0) return
  const link = `${app.config.publicUrl}/dashboard/mailbox-access?mailbox=${mailboxId}`
  await app.db.transaction().execute(async (tx) => {
    for (const admin of admins)
      await sendSystemMail(app, tx, { to: admin.email, ...forgottenMail(admin, email, link) })
  })
}

const forgottenMail = (
  { firstName }: Pick<UserRecord, 'firstName'>,
  email: string,
  link: string,
): Mail =>
  compose({
    subject: 'A new password is asked for',
    greeting: greet(firstName),
    before: [
      `somebody says that they forgot the password of the mailbox ${email}.`,
      'If you know that its holder asked, make a new link for them. No link was mailed to the mailbox itself, since they could not read it there.',
    ],
    button: { label: 'Open the access of this mailbox', link },
    after: ['If nobody you know asked, ignore this mail: the password stays as it is.'],
  })
