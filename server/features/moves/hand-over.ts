/** The mailbox of a person who leaves goes to a colleague: all of it or nothing, in one transaction (decision 057). */
import type { handOver as handOverRoute, MailboxReader } from '#contract/mail/access.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { endSignIn } from '#server/features/mailboxes/access/access-links.ts'
import { logAccess } from '#server/features/mailboxes/access/access-log.ts'
import { giveTo } from '#server/features/mailboxes/access/change-readers.ts'
import { changeAccess } from '#server/features/mailboxes/access/require-mailbox.ts'
import { saveReply } from '#server/features/vacation/edit-vacation.ts'
import { personOf } from '#server/features/workspaces/member-emails.ts'
import { timeZoneOf } from '#server/features/workspaces/preferences.ts'

type Form = Input<typeof handOverRoute>['body']

/** @throws NOT_EXISTS, also for a person who is not of this workspace; FORBIDDEN; VALIDATION on `endsAt` */
export const handOver = async (
  app: App,
  who: Who,
  id: string,
  { replyText = '', ...gift }: Form,
): Promise<MailboxReader> => {
  const timeZone = await timeZoneOf(app, who)
  return changeAccess(app, who, id, async (held) => {
    const { tx, mailbox, caller } = held
    const reader = await giveTo(app, who, held, gift)
    await endSignIn(app, held)
    if (replyText !== '') {
      const place = { workspaceId: mailbox.workspaceId, mailboxId: mailbox.id }
      const always = { isOn: true, firstDay: '', lastDay: '', subject: '' }
      const reply = { ...always, timeZone: timeZone || 'UTC', text: replyText }
      await saveReply(app, tx, place, reply)
    }
    const actor = personOf(caller)
    await logAccess(app, tx, mailbox, { kind: 'handed-over', actor, subject: reader.name })
    return reader
  })
}
