/** The mails about access to a mailbox: to whoever made a link, and to whoever was given a mailbox. */
import type { App } from '#server/app.ts'
import { momentInMail } from '#server/features/accounts/preferences/mail-dates.ts'
import { readPreferences } from '#server/features/accounts/preferences/preference-queries.ts'
import { tryThrottleIn } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { memberOf } from '#server/features/workspaces/member-emails.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'

type MailboxOf = { id: string; workspaceId: string; email: string }

/** To the member who made the link, while they are still in the workspace. */
export const mailLinkUsed = async (
  app: App,
  tx: Db,
  { id, workspaceId, email }: MailboxOf,
  { madeBy, isNew }: { madeBy: string | null; isNew: boolean },
): Promise<void> => {
  const maker = madeBy === null ? undefined : await memberOf(tx, workspaceId, madeBy)
  if (madeBy === null || !maker) return
  const at = momentInMail(app.clock.now(), await readPreferences(tx, madeBy))
  const link = accessPage(app, id)
  const mail = linkUsedMail({ email, isNew, at, link })
  await sendSystemMail(app, tx, { to: maker.email, ...mail, link: null })
}

type Used = { email: string; isNew: boolean; at: string; link: string }

export const linkUsedMail = ({ email, isNew, at, link }: Used): Mail =>
  compose({
    subject: `The access link of ${email} was used`,
    preview: isNew
      ? 'A password is set, and its holder signs in.'
      : 'Its holder has a new password.',
    greeting: 'Hello,',
    before: [
      isNew
        ? `The access link that you made for ${email} was opened, and a password was set with it. From now on its holder signs in to this mailbox.`
        : `The access link that you made for ${email} was opened, and its holder set a new password with it.`,
      `That was on ${at}.`,
      'If this was not the person you gave the link to, revoke the access now: it ends their sign-in, and the mail stays.',
    ],
    button: { label: 'Open the access of this mailbox', link },
    after: ['If it was, you can ignore this mail.'],
    reason: 'You get this mail because you made the link.',
  })

const ONCE_A_DAY = { limit: 1, windowSeconds: DAY_SECONDS }

type Given = { giverEmail: string; canSend: boolean; endsAt: Date | null }

/** To the person who may read another mailbox from now on; once a day for each mailbox. */
export const mailGiven = async (
  app: App,
  tx: Db,
  { id, email }: MailboxOf,
  { userId, email: to }: { userId: string; email: string },
  { giverEmail, canSend, endsAt }: Given,
): Promise<void> => {
  if (!(await tryThrottleIn(app, tx, `mailbox-given:${id}:${userId}`, ONCE_A_DAY))) return
  const until = endsAt && momentInMail(endsAt, await readPreferences(tx, userId))
  const link = `${app.config.publicUrl}/dashboard/view-mail?mailbox=${id}`
  const setUpLink = `${app.config.publicUrl}/dashboard/set-up-mail?mailbox=${id}`
  const mail = givenMail({ email, giverEmail, canSend, until, link, setUpLink })
  await sendSystemMail(app, tx, { to, ...mail, link: null })
}

type GivenWords = {
  email: string
  giverEmail: string
  canSend: boolean
  until: string | null
  link: string
  setUpLink: string
}

export const givenMail = ({
  email,
  giverEmail,
  canSend,
  until,
  link,
  setUpLink,
}: GivenWords): Mail =>
  compose({
    subject: `You can read the mailbox ${email}`,
    preview: `${giverEmail} gave it to you${canSend ? ', and you can send from it' : ''}.`,
    greeting: 'Hello,',
    before: [
      `${giverEmail} gave you the mailbox ${email}. You read it with your own sign-in, beside your other mail${canSend ? ', and can send from its address' : ''}.`,
      ...(until === null ? [] : [`You can read it until ${until}.`]),
    ],
    button: { label: 'Open the mailbox', link },
    after: [
      `How to read it on a phone or in a mail program: ${setUpLink}`,
      'You can give it back in its settings. If you expected this, there is nothing else to do.',
    ],
    reason: 'You get this mail because this mailbox was given to you.',
  })

const accessPage = (app: App, mailboxId: string): string =>
  `${app.config.publicUrl}/dashboard/mailbox-access?mailbox=${mailboxId}`
