import type { App } from '#server/app.ts'
import {
  type DomainRow,
  readNamesakes,
  removeDomain,
} from '#server/features/domains/domain-queries.ts'
import { scheduleChecksAt } from '#server/features/domains/record-queries.ts'
import { lockToDelete, mailboxesOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { cancelDeliveries } from '#server/features/outbox/enqueue-message.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceSignIns } from '#server/storage/notifications.ts'
import { dueNowOn, insertReleased } from './ownership-store.ts'

/**
 * Deletes a domain with everything in it, so that the next holder starts empty. The caller has locked the namesakes.
 * Returns the number of deleted mailboxes.
 */
export const giveUpDomain = async (
  app: App,
  tx: Db,
  domain: DomainRow,
  reason: 'deleted' | 'proof-missing' | 'claimed',
): Promise<number> => {
  const { id, workspaceId, name } = domain
  const now = app.clock.now()
  const mailboxes = await mailboxesOf(tx, workspaceId, id)
  const mailboxCount = mailboxes.length
  const mailboxIds = mailboxes.map((mailbox) => mailbox.id)
  await cancelDeliveries(tx, { workspaceId, name, mailboxIds }, now)
  await dueNowOn(tx, id, now)
  await lockToDelete(tx, id)
  await removeDomain(tx, workspaceId, id)
  if (reason !== 'deleted') {
    await insertReleased(tx, {
      id: newId(),
      ...{ workspaceId, name, reason, mailboxCount, releasedAt: now },
    })
    await noteEvent(tx, {
      ...{ topic: 'domain.lost', workspaceId, about: id, at: now },
      data: { domainId: id, name, reason },
    })
  }
  if (domain.isVerified) {
    const others = await readNamesakes(tx, name)
    await scheduleChecksAt(
      tx,
      others.map((other) => other.id),
      now,
    )
  }
  await announceSignIns(tx, mailboxIds)
  await announceChange(tx, { topic: 'domains', workspaceId }, { topic: 'mailboxes', workspaceId })
  return mailboxCount
}
