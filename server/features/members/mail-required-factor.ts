/** Tells people who have no second factor that one is required, and until when. */
import type { App } from '#server/app.ts'
import {
  noteToldUntil,
  takeUntoldRequirement,
} from '#server/features/factors/required-factor-queries.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail, quoted } from '#server/features/outbox/system-mail.ts'
import { dayOf } from '#server/features/ownership/ownership-mails.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { nextToTell } from './without-factor-store.ts'

/** A workspace may have thousands. */
const AT_ONCE = 50

/** For a loop. */
export const mailRequiredFactors = async (app: App): Promise<void> => {
  const mailSome = () =>
    app.db.transaction().execute(async (tx) => {
      const rule = await takeUntoldRequirement(tx)
      if (rule === undefined) return false
      const { id, workspaceId, toldUntil } = rule
      const by = workspaceId === null ? null : (await readWorkspace(tx, workspaceId)).name
      const people = await nextToTell(tx, workspaceId, toldUntil, AT_ONCE)
      for (const { email, firstName, factorDueAt } of people) {
        const mail = factorRequiredMail(firstName, by, factorDueAt, app.config.publicUrl)
        await sendSystemMail(app, tx, { to: email, ...mail, link: null })
      }
      const last = people.at(-1)?.id ?? toldUntil
      await noteToldUntil(tx, id, { isTold: people.length < AT_ONCE, toldUntil: last })
      return true
    })
  while (await mailSome());
}

/** `by`: the workspace; null: the operator of the installation. */
export const factorRequiredMail = (
  firstName: string,
  by: string | null,
  dueAt: Date | null,
  publicUrl: string,
): Mail =>
  compose({
    subject: 'Set up a second factor for your Mailstead account',
    greeting: greet(firstName),
    before: [
      `${by === null ? 'The operator of this Mailstead' : `The workspace “${quoted(by, 60)}”`} requires a second factor: a passkey, or an app that shows codes. Your account has none yet.`,
      dueAt === null
        ? 'It takes two minutes.'
        : `It takes two minutes. From ${dayOf(dueAt)} on you can sign in without one only to set it up, and mail programs wait, too.`,
    ],
    button: { label: 'Set up a second factor', link: `${publicUrl}/dashboard/security` },
    after: [],
    reason: 'You get this mail because a second factor is required of you.',
  })
