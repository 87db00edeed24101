/** The outbox: mail on its way out. Features put messages in; only `mail/outbound` takes them out. */
import { domainToASCII } from 'node:url'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceDelivery } from '#server/storage/notifications.ts'
import { insertOutboxMessage } from './outbox-store.ts'

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

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Envelopes carry A-labels, so that the other side need not know Unicode addresses. */
const withAsciiDomain = (address: string): string => {
  const ascii = domainToASCII(domainOf(address))
  if (!address.includes('@') || ascii === '') throw new Error('a recipient needs a domain')
  return `${address.slice(0, address.lastIndexOf('@'))}@${ascii}`
}
