/** An operator stops what a mailbox sends, and lets it go on (decision 110). */
import type { App } from '#server/app.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceMailbox } from '#server/storage/notifications.ts'
import { operatorStopMail } from '../brake-mails.ts'
import { insertOperatorStop, takeUntoldStop } from './stops-store.ts'

/** Its Admins are told by a job, since a terminal sends no mail. */
export const stopMailbox = async (
  tx: Db,
  place: { workspaceId: string; mailboxId: string },
  operatorReason: string,
  stoppedAt: Date,
): Promise<void> => {
  const none = { failed: 0, ended: 0, example: '', resumedAt: null }
  await insertOperatorStop(tx, {
    ...{ id: newId(), ...place, ...none, stoppedAt, operatorReason, isUntold: true },
  })
  await announceMailbox(tx, place)
}

/** Mails the Admins of each mailbox that an operator stopped, once. */
export const mailOperatorStops = async (app: App): Promise<void> => {
  while (await app.db.transaction().execute((tx) => mailOne(app, tx)));
}

const mailOne = async (app: App, tx: Db): Promise<boolean> => {
  const stop = await takeUntoldStop(tx)
  if (stop === undefined) return false
  const { workspaceId, mailboxId, operatorReason } = stop
  const mailbox = await mailboxRows(tx).where('id', '=', mailboxId).executeTakeFirst()
  if (mailbox === undefined || operatorReason === null) return true
  const about = { email: mailbox.email, mailboxId, publicUrl: app.config.publicUrl }
  const mail = operatorStopMail(about, operatorReason)
  for (const to of await adminEmails(tx, workspaceId))
    await sendSystemMail(app, tx, { to, ...mail })
  return true
}
