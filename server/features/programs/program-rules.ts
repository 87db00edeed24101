/** Whether mail programs of a workspace need app passwords, and the mail to a holder whose own password was refused for it. */
import type { ProgramRules } from '#contract/workspace/mail-programs.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { tryThrottleIn } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { readWorkspace, setNeedsAppPasswords } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import { announceChange, announceSessionsEnded } from '#server/storage/notifications.ts'
import type { FoundHolder } from './app-passwords-store.ts'

export const getProgramRules = async (
  { db }: Pick<App, 'db'>,
  { workspaceId }: Pick<Who, 'workspaceId'>,
): Promise<ProgramRules> => {
  const { needsAppPasswords } = await readWorkspace(db, workspaceId)
  return { needsAppPasswords }
}

/** Programs that use the password of a holder are signed out at once. */
export const saveProgramRules = (
  app: Pick<App, 'db'>,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  rules: ProgramRules,
): Promise<ProgramRules> =>
  app.db.transaction().execute(async (tx) => {
    await setNeedsAppPasswords(tx, workspaceId, rules.needsAppPasswords)
    await announceChange(tx, { topic: 'workspaces', workspaceId })
    if (rules.needsAppPasswords) await announceSessionsEnded(tx)
    return rules
  })

/** A program asks all day; its person is told once. */
const ONCE = { limit: 1, windowSeconds: 365 * DAY_SECONDS }

export const mailOwnPasswordRefused = (app: App, holder: FoundHolder): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    if (!(await tryThrottleIn(app, tx, `own-password-refused:${holder.userId}`, ONCE))) return
    const { publicUrl } = app.config
    const link = `${publicUrl}/dashboard/mail-box-settings?mailbox=${holder.mailboxId}#app-passwords`
    const mail = ownPasswordRefusedMail(holder.email, link)
    await sendSystemMail(app, tx, { to: holder.account, ...mail, link: null })
  })

export const ownPasswordRefusedMail = (mailbox: string, link: string): Mail =>
  compose({
    subject: `Your mail program needs an app password for ${mailbox}`,
    preview: 'It was refused, although the password was right.',
    greeting: 'Hello,',
    before: [
      `A mail program tried to sign in to ${mailbox} with your own password. The password was right, but mail programs need an app password here, so it was refused.`,
      'Make an app password for each program, and type it there in place of yours. Your own password still signs you in to this page.',
    ],
    button: { label: 'Make an app password', link },
    after: ['If you set up no mail program, somebody else knows your password: change it now.'],
    reason: 'You get this mail once, because you sign in to this mailbox.',
  })
