/** Mails the owner of an account when it is signed in to from a browser that did not do so before. */
import type { App } from '#server/app.ts'
import { tryThrottleIn } from '#server/features/limits/throttle.ts'
import { endingLinkFor } from '#server/features/outbox/ending-link.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { hasKnownDevice, isKnownDevice, type UserRecord } from '../auth-store.ts'
import { momentInMail } from '../preferences/mail-dates.ts'
import { readPreferences } from '../preferences/preference-queries.ts'
import { browserName } from './browser-name.ts'

type Client = { ip: string; userAgent: string; deviceToken: string | null }

/** A program that keeps no cookies is a new browser each time. */
const MAILS = { limit: 3, windowSeconds: DAY_SECONDS }

/**
 * Call before the browser is remembered. Without any known browser there is no mail: at the first sign-in, and after a new
 * password, of which a mail told already.
 */
export const mailNewSignIn = async (
  app: App,
  tx: Db,
  user: UserRecord,
  client: Client & { sessionId: string },
): Promise<void> => {
  const { deviceToken } = client
  if (deviceToken !== null && (await isKnownDevice(tx, user.id, hashToken(deviceToken)))) return
  if (!(await hasKnownDevice(tx, user.id))) return
  if (!(await tryThrottleIn(app, tx, `new-sign-in:${user.id}`, MAILS))) return
  const at = momentInMail(app.clock.now(), await readPreferences(tx, user.id))
  const signIn = { at, ip: client.ip, browser: browserName(client.userAgent) }
  const mail = newSignInMail(user, signIn, endingLinkFor(app, client.sessionId))
  await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
}

type SignIn = { at: string; ip: string; browser: string }

export const newSignInMail = (
  { firstName, email, mailboxId }: Pick<UserRecord, 'firstName' | 'email' | 'mailboxId'>,
  { at, ip, browser }: SignIn,
  link: string,
): Mail =>
  compose({
    subject: 'New sign-in to your Mailstead account',
    preview: `${browser}, ${at}. If it was you, there is nothing to do.`,
    greeting: greet(firstName),
    before: [
      `Your account ${email} was just signed in to from a browser that we did not know:`,
      { value: `${browser}\nNetwork address ${ip}\n${at}` },
      mailboxId === null
        ? 'If that was not you, end this session now and set a new password.'
        : 'If that was not you, end this session now and ask your administrator for a new link, which sets a new password.',
    ],
    button: { label: 'End this session', link },
    after: [
      'The link needs no sign-in, and works as long as the session does.',
      'If it was you, you can ignore this mail.',
    ],
    reason: 'You get this mail for the safety of your account, once for each new browser.',
  })
