/** Mails a holder whose mail program was refused with their own password: one mail, whether the workspace or a second factor is why. */
import type { App } from '#server/app.ts'
import { noteProgramTold } from '#server/features/factors/change-factors.ts'
import { tryThrottleIn } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import type { FoundHolder } from './app-passwords-store.ts'

/** What refuses the own password: a rule of the workspace, or the person's second factor. */
export type WhyNeeded = 'own-password' | 'factor'

/** A program asks all day. */
const ONCE = { limit: 1, windowSeconds: 365 * DAY_SECONDS }

export const mailAppPasswordNeeded = (
  app: App,
  holder: FoundHolder,
  why: WhyNeeded,
): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    if (!(await isNews(app, tx, holder, why))) return
    const { account, firstName, mailboxId } = holder
    const link = `${app.config.publicUrl}/dashboard/mail-box-settings?mailbox=${mailboxId}#app-passwords`
    const mail = appPasswordNeededMail(firstName, account, link, why)
    await sendSystemMail(app, tx, { to: account, ...mail, link: null })
  })

/** Once a year for the rule, once after each change of the factors; who was told for one is not told again when the other comes. */
const isNews = async (
  app: App,
  tx: Db,
  { userId, hasFactor }: FoundHolder,
  why: WhyNeeded,
): Promise<boolean> => {
  if (hasFactor && !(await noteProgramTold(tx, userId))) return false
  return why === 'factor' || tryThrottleIn(app, tx, `own-password-refused:${userId}`, ONCE)
}

const because: Record<WhyNeeded, string> = {
  'own-password': 'this workspace asks mail programs for app passwords',
  factor: 'you have a second factor, which mail programs cannot ask for',
}

const reason: Record<WhyNeeded, string> = {
  'own-password': 'You get this mail once, because you sign in to this mailbox.',
  factor: 'You get this mail once after each change of your second factors.',
}

export const appPasswordNeededMail = (
  firstName: string,
  address: string,
  link: string,
  why: WhyNeeded,
): Mail =>
  compose({
    subject: `A mail program needs an app password for ${address}`,
    greeting: greet(firstName),
    before: [
      `A mail program tried to open ${address} with your own password, and was refused: ${because[why]}.`,
      'Please make an app password and enter it in the mail program. Your own password still signs you in on the web page.',
    ],
    button: { label: 'Make an app password', link },
    after: ['If you use no mail program, somebody knows your password: please set a new one.'],
    reason: reason[why],
  })
