import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { tryThrottle } from '#server/features/auth/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { adminEmails } from '#server/features/workspaces/admin-emails.ts'
import { limitMail } from './brake-mails.ts'
import type { Sender } from './check-brakes.ts'
import { DAY_SECONDS } from './limits.ts'

/** Mails the Admins when the refusal is about a limit, once a day for each mailbox. @throws the refusal, always. */
export const tellOfLimit = async (
  app: App,
  sender: Sender & { email: string },
  refusal: unknown,
): Promise<never> => {
  if (refusal instanceof AppError && refusal.type === 'SENDING_LIMIT')
    await mailAdmins(app, sender, refusal.message).catch((error: unknown) =>
      app.log.error({ err: error }, 'the Admins were not told of a sending limit'),
    )
  throw refusal
}

const mailAdmins = async (
  app: App,
  { id: mailboxId, workspaceId, email }: Sender & { email: string },
  refusal: string,
): Promise<void> => {
  const once = { limit: 1, windowSeconds: DAY_SECONDS }
  if ((await tryThrottle(app, `sending limit ${mailboxId}`, once)) > 0) return
  const mail = limitMail({ email, mailboxId, publicUrl: app.config.publicUrl }, refusal)
  await app.db.transaction().execute(async (tx) => {
    for (const to of await adminEmails(tx, workspaceId))
      await sendSystemMail(app, tx, { to, ...mail })
  })
}
