import type { App } from '#server/app.ts'
import { type DomainRow, removeDomain } from '#server/features/domains/domains-store.ts'
import { cancelDeliveries } from '#server/features/outbox/enqueue-message.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  countMailboxes,
  dueNowOn,
  insertReleased,
  lookAgainAt,
  readNamesakes,
} from './ownership-store.ts'

/**
 * A domain leaves its workspace with all that hangs on it, so whoever has the name next starts empty. The namesakes
 * are locked. Answers how many mailboxes went with it.
 */
export const giveUpDomain = async (
  app: App,
  tx: Db,
  domain: DomainRow,
  reason: 'deleted' | 'proof-missing' | 'claimed',
): Promise<number> => {
  const { id, workspaceId, name } = domain
  const now = app.clock.now()
  await cancelDeliveries(tx, id, now)
  const mailboxCount = await countMailboxes(tx, id)
  await dueNowOn(tx, id, now)
  await removeDomain(tx, workspaceId, id)
  if (reason !== 'deleted')
    await insertReleased(tx, {
      id: newId(),
      ...{ workspaceId, name, reason, mailboxCount, releasedAt: now },
    })
  if (domain.isVerified) {
    const others = await readNamesakes(tx, name)
    await lookAgainAt(
      tx,
      others.map((other) => other.id),
      now,
    )
  }
  await announceChange(tx, { topic: 'domains', workspaceId }, { topic: 'mailboxes', workspaceId })
  return mailboxCount
}
