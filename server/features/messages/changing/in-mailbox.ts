import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { lockMailboxRow } from '../changes-store.ts'
import { forgetModel } from '../junk/known-models.ts'
import { openMailbox } from '../mailbox-access.ts'
import type { Place } from './bulk-store.ts'

/** One change after the other in a mailbox that the user may read; open pages are told. */
export const inMailbox = async <T>(
  app: App,
  who: Who,
  mailboxId: string,
  change: (tx: Db, place: Place) => Promise<T>,
): Promise<T> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const answer = await app.db.transaction().execute(async (tx) => {
    await lockMailboxRow(tx, mailboxId)
    const changed = await change(tx, place)
    await announceChange(tx, { topic: 'messages', ...place })
    return changed
  })
  forgetModel(app, mailboxId)
  return answer
}
