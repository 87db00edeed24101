import type { Sending } from '#contract/mail/sending.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { announceDelivery, announceMailbox } from '#server/storage/notifications.ts'
import { getSending } from './get-sending.ts'
import { HELD_BACK } from './hold-back.ts'
import { bringHeldForward, endStop } from './stops-store.ts'

/** What was held back goes out at once. Nothing happens to a mailbox that is not stopped. @throws NOT_EXISTS */
export const resumeSending = async (app: App, who: Who, mailboxId: string): Promise<Sending> => {
  const { stopped } = await getSending(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  if (stopped !== null)
    await app.db.transaction().execute(async (tx) => {
      const now = app.clock.now()
      if (!(await endStop(tx, place, now))) return
      await bringHeldForward(tx, place, HELD_BACK, now)
      await announceDelivery(tx)
      await announceMailbox(tx, place)
    })
  return getSending(app, who, mailboxId)
}
