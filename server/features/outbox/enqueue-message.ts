/** The outbox: mail on its way out. Features put messages in; only `mail/outbound` takes them out. */

import { domainToASCII } from 'node:url'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf, localPartOf } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { announceDelivery } from '#server/storage/notifications.ts'
import { failDeliveriesOf, type SendingDomain } from './deliveries-store.ts'
import { deleteFinished, deleteWaiting, insertOutboxMessage } from './outbox-store.ts'
import { deleteOldStsPolicies } from './sts-store.ts'

export type MessageToSend = {
  /** Absent: a new one. */
  id?: string
  /** null: system mail. */
  workspaceId: string | null
  mailboxId: string | null
  /** Id of the copy in Sent; null without one. */
  sentMessageId?: string
  /** '' for the null reverse path. */
  mailFrom: string
  /** Addresses; one delivery per distinct address. */
  recipients: readonly string[]
  raw: Buffer
  /** Blob of `raw`, if it is already stored. */
  blob?: string
  /** Held in the outbox until it is released. */
  isHeld?: boolean
  /** false: a failure puts no bounce into the mailbox. */
  wantsBounce?: boolean
  /** The first attempt is not made before this time. */
  notBefore?: Date
}

/** The blob is durable before rows refer to it; the rows belong to the caller's transaction. @returns the message's id. */
export const enqueueMessage = async (app: App, db: Db, message: MessageToSend): Promise<string> => {
  const recipients = [...new Set(message.recipients.map(withAsciiDomain))]
  if (recipients.length === 0) throw new Error('a message needs a recipient')
  const blob = message.blob ?? (await app.blobs.put(message.raw))
  const id = message.id ?? newId()
  const createdAt = app.clock.now()
  const { workspaceId, mailboxId, mailFrom, sentMessageId = null } = message
  await insertOutboxMessage(
    db,
    {
      id,
      workspaceId,
      mailboxId,
      sentMessageId,
      mailFrom,
      blob,
      sizeBytes: message.raw.length,
      isHeld: message.isHeld ?? false,
      wantsBounce: message.wantsBounce ?? true,
      createdAt,
    },
    recipients.map((recipient) => ({
      id: newId(),
      outboxMessageId: id,
      workspaceId,
      recipient,
      recipientDomain: domainOf(recipient),
      status: 'queued',
      nextAttemptAt: message.notBefore ?? createdAt,
      claimedBy: null,
      createdAt,
      finishedAt: null,
    })),
  )
  await announceDelivery(db)
  return id
}

/** Envelopes have A-labels, so that the receiving server need not support Unicode addresses. */
const withAsciiDomain = (address: string): string => {
  const ascii = domainToASCII(domainOf(address))
  if (ascii === '') throw new Error('a recipient needs a domain')
  return `${localPartOf(address)}@${ascii}`
}

/**
 * Ends the queued deliveries of this domain: their bounces would reach the next owner of the name.
 * Call before the mailboxes are locked and deleted.
 */
export const cancelDeliveries = (db: Db, domain: SendingDomain, now: Date): Promise<void> =>
  failDeliveriesOf(db, domain, 'The domain of the sender was given up', now)

/**
 * Removes a message from the outbox if no delivery of it was tried. A worker that claims one at the same
 * moment either comes first, so nothing is removed, or finds the message gone. @returns whether it was removed.
 */
export const takeBack = (db: Db, workspaceId: string, outboxMessageId: string): Promise<boolean> =>
  deleteWaiting(db, workspaceId, outboxMessageId)

const KEEP_SECONDS = 30 * DAY_SECONDS

/** Deletes messages and their ledger when every delivery ended 30 days ago. The blob sweep deletes their bytes. */
export const purgeOutbox = async (app: App): Promise<void> => {
  const before = secondsAfter(app.clock.now(), -KEEP_SECONDS)
  await deleteFinished(app.db, before)
  await deleteOldStsPolicies(app.db, before)
}
