/** The outbox: mail on its way out. Features put messages in; only `mail/outbound` takes them out. */

import { domainToASCII } from 'node:url'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf, localPartOf } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { announceDelivery } from '#server/storage/notifications.ts'
import { failDeliveriesOf } from './deliveries-store.ts'
import { deleteFinished, deleteWaiting, insertOutboxMessage } from './outbox-store.ts'
import { deleteOldStsPolicies } from './sts-store.ts'

export type MessageToSend = {
  /** null for system mail. */
  workspaceId: string | null
  mailboxId: string | null
  /** The copy in Sent, whose journey this is. */
  sentMessageId?: string
  /** '' for the null reverse path. */
  mailFrom: string
  /** Addresses; one delivery each, duplicates once. */
  recipients: readonly string[]
  raw: Buffer
  /** Of `raw`, when it is stored already. */
  blob?: string
  /** Stays in the outbox until it is released. */
  isHeld?: boolean
  /** Nothing is tried before. */
  notBefore?: Date
}

/** The blob is durable before the rows refer to it; the rows belong to the caller's transaction. Returns the message's id. */
export const enqueueMessage = async (app: App, db: Db, message: MessageToSend): Promise<string> => {
  const recipients = [...new Set(message.recipients.map(withAsciiDomain))]
  if (recipients.length === 0) throw new Error('a message needs a recipient')
  const blob = message.blob ?? (await app.blobs.put(message.raw))
  const id = newId()
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

/** Envelopes carry A-labels, so that the other side need not know Unicode addresses. */
const withAsciiDomain = (address: string): string => {
  const ascii = domainToASCII(domainOf(address))
  if (ascii === '') throw new Error('a recipient needs a domain')
  return `${localPartOf(address)}@${ascii}`
}

/**
 * Mail that is still on its way out from this domain is not tried again: its bounces would reach whoever has the name
 * next. Before the mailboxes go, and before they are locked.
 */
export const cancelDeliveries = (db: Db, domainId: string, now: Date): Promise<void> =>
  failDeliveriesOf(db, domainId, 'The domain of the sender was given up', now)

/**
 * Takes a message out of the outbox of which nothing has been tried yet. Whoever claims one of its deliveries in the same
 * instant either comes first, and then nothing is taken back, or finds it gone. @returns whether it was taken back.
 */
export const takeBack = (db: Db, workspaceId: string, outboxMessageId: string): Promise<boolean> =>
  deleteWaiting(db, workspaceId, outboxMessageId)

const KEEP_SECONDS = 30 * 24 * 3600

/** Forgets messages, and their ledger, of which every delivery ended 30 days ago; the sweep of blobs takes their bytes. */
export const purgeOutbox = async (app: App): Promise<void> => {
  const before = secondsAfter(app.clock.now(), -KEEP_SECONDS)
  await deleteFinished(app.db, before)
  await deleteOldStsPolicies(app.db, before)
}
