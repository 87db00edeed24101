/** The mails to Admins when a limit stops one of their mailboxes. Pure. */

import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { tryThrottle } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail, quoted } from '#server/features/outbox/system-mail.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import type { Sender } from './check-brakes.ts'

type About = { email: string; mailboxId: string; publicUrl: string }

const MAX_QUOTED = 300

export const stopMail = (
  about: About,
  { failed, ended, example }: { failed: number; ended: number; example: string },
): Mail =>
  notice(about, {
    subject: `Sending from ${about.email} has stopped`,
    preview: 'Too many of its messages were refused. Nothing is lost.',
    before: [
      `Other mail servers have permanently refused ${failed} of the last ${ended} deliveries from ${about.email}. If that went on, they would stop trusting this server and all mail from it, so this mailbox sends nothing to other servers for now.`,
      `The last answer was: “${quoted(example.replace(/\s+/g, ' '), MAX_QUOTED)}”`,
      'Nothing is lost. What is on its way waits for up to five days, new messages are refused with the reason, and mail arrives as before.',
      'Ask the person who uses the mailbox. If they did not write these messages, another person knows the password: change it first. If they did, they should remove addresses that do not exist from their list. Then resume sending in the settings of the mailbox.',
    ],
    after: 'Only an Admin can resume it. It stops again only when new messages are refused.',
  })

export const operatorStopMail = (about: About, reason: string): Mail =>
  notice(about, {
    subject: `The operator has stopped sending from ${about.email}`,
    preview: 'It sends nothing to others until the operator lets it go on.',
    before: [
      `Whoever operates this installation has stopped what ${about.email} sends to other servers. The reason: “${quoted(reason, MAX_QUOTED)}”`,
      'New messages to others are refused with the reason. Mail arrives and is read as before, and the other mailboxes of the workspace send as before.',
      'Ask the person who uses the mailbox. If they did not write what was complained about, another person knows the password: change it, and end its app passwords.',
    ],
    after: 'Answer this mail to reach the operator, who alone can resume it.',
  })

export const limitMail = (about: About, refusal: string): Mail =>
  notice(about, {
    subject: `${about.email} has reached its sending limit`,
    preview: 'A message was refused. It can be sent later.',
    before: [
      `A message from ${about.email} was refused. Its author was shown: “${refusal}”`,
      'The message can be kept as a draft and sent later. If this mailbox sends more than you would expect, another person may know its password: suspend the mailbox, and change the password.',
    ],
    after: 'You get this mail at most once a day for each mailbox.',
  })

const notice = (
  { mailboxId, publicUrl }: About,
  { after, ...content }: { subject: string; preview: string; before: string[]; after: string },
): Mail =>
  compose({
    greeting: 'Hello,',
    button: {
      label: 'Open the mailbox settings',
      link: `${publicUrl}/dashboard/mail-box-settings?mailbox=${mailboxId}#sending`,
    },
    after: [after],
    reason: 'You get this mail as an Admin of the workspace that the mailbox is in.',
    ...content,
  })

/** If a limit caused the refusal, mails the Admins, once a day for each mailbox. @throws the refusal, always. */
export const mailLimitAlert = async (
  app: App,
  sender: Sender & { email: string },
  refusal: unknown,
): Promise<never> => {
  if (refusal instanceof AppError && refusal.type === 'SENDING_LIMIT')
    await mailAdminsOnce(app, sender, refusal.message).catch((error: unknown) =>
      app.log.error({ err: error }, 'the Admins could not be mailed about a sending limit'),
    )
  throw refusal
}

const mailAdminsOnce = async (
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
