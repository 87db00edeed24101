/** Mails a reader when an own password is first used from a network: once for each password and network. */
import type { Scope } from '#contract/mail/app-passwords.ts'
import type { App } from '#server/app.ts'
import { momentInMail } from '#server/features/accounts/preferences/mail-dates.ts'
import { readPreferences } from '#server/features/accounts/preferences/preference-queries.ts'
import { tryThrottleIn } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail, quoted } from '#server/features/outbox/system-mail.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { lockUntoldUse, noteTold } from './program-uses-store.ts'

/** Most programs say their name only after they signed in. */
const WAIT_SECONDS = 20

/** Of one person: a phone that travels meets new networks all day. */
const MAILS = { limit: 5, windowSeconds: DAY_SECONDS }

/** For a loop. */
export const mailNewPrograms = async (app: App): Promise<void> => {
  const mailOne = () =>
    app.db.transaction().execute(async (tx) => {
      const now = app.clock.now()
      const use = await lockUntoldUse(tx, secondsAfter(now, -WAIT_SECONDS))
      if (use === undefined) return false
      await noteTold(tx, use)
      if (!(await tryThrottleIn(app, tx, `new-program:${use.userId}`, MAILS))) return true
      const at = momentInMail(use.firstAt, await readPreferences(tx, use.userId))
      const { publicUrl } = app.config
      const link = `${publicUrl}/dashboard/mail-box-settings?mailbox=${use.mailboxId}#app-passwords`
      const mail = newProgramMail({ ...use, at, link })
      await sendSystemMail(app, tx, { to: use.email, ...mail, link: null })
      return true
    })
  while (await mailOne());
}

type Used = {
  firstName: string
  /** Of the mailbox. */
  address: string
  /** Of the app password; null: the holder's own password. */
  name: string | null
  scope: Scope
  program: string
  ip: string
  at: string
  link: string
}

const does: Record<Scope, string> = { imap: 'to read mail', smtp: 'to send mail' }

export const newProgramMail = ({
  firstName,
  address,
  name,
  scope,
  program,
  ip,
  at,
  link,
}: Used): Mail => {
  const what = program === '' ? 'A mail program' : quoted(program, 100)
  const by = name === null ? 'your own password' : `the app password “${quoted(name, 60)}”`
  return compose({
    subject: `A mail program signed in to ${address} from a new place`,
    preview: `${what}, ${at}. If it was you, there is nothing to do.`,
    greeting: greet(firstName),
    before: [
      `The mailbox ${address} was just signed in to ${does[scope]} with ${by}, from a network where it was not used before:`,
      { value: `${what}\nNetwork address ${ip}\n${at}` },
      name === null
        ? 'If that was not you, set a new password now: it ends every session and every such connection.'
        : 'If that was not you, end this app password now: programs that use it are signed out at once.',
    ],
    button: { label: 'Open the app passwords', link },
    after: ['If it was you, you can ignore this mail.'],
    reason: 'You get this mail for the safety of your mail, once for each password and network.',
  })
}
