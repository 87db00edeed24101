import type { App } from '#server/app.ts'
import type { Mail } from '#server/features/auth/accounts/mail-templates.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { adminEmails } from '#server/features/workspaces/admin-emails.ts'
import type { Db } from '#server/storage/database.ts'

/** In the transaction that decided what they are told. */
export const tellAdmins = async (
  app: App,
  tx: Db,
  workspaceId: string,
  mail: Mail,
  /** Whoever did it knows. */
  except?: string,
): Promise<void> => {
  for (const to of await adminEmails(tx, workspaceId))
    if (to !== except) await sendSystemMail(app, tx, { to, ...mail })
}
