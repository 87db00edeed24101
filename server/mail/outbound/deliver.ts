/** One claimed delivery: local or remote, then the ledger, and a bounce when it is over. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import { checkRoom } from '#server/features/messages/check-room.ts'
import { forwardToRole, readersOfRole } from '#server/features/messages/forward-to-role.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import {
  type ClaimedDelivery,
  readOutboxMessage,
} from '#server/features/outbox/deliveries-store.ts'
import type { OutboxMessage } from '#server/features/outbox/outbox-store.ts'
import { type Attempt, recordAttempt } from '#server/features/outbox/record-attempt.ts'
import { newId } from '#server/lib/ids.ts'
import { writeBounce } from '#server/standards/bounce.ts'
import { traceHeaders } from '#server/standards/received-header.ts'
import type { Db } from '#server/storage/database.ts'
import { type Attempts, deliverRemotely } from './deliver-remotely.ts'
import type { Timeouts } from './smtp-attempt.ts'

type Local = { attempt: Attempt; keep: ((tx: Db) => Promise<void>) | null }

export const deliver = async (
  app: App,
  by: string,
  delivery: ClaimedDelivery,
  timeouts: Timeouts,
): Promise<void> => {
  const message = await readOutboxMessage(app.db, delivery.outboxMessageId)
  if (message === undefined) return
  const raw = await app.blobs.get(message.blob)
  const local = await deliverLocally(app, message, delivery.recipient, raw)
  const { mailFrom } = message
  const { recipient, recipientDomain } = delivery
  const attempts: Attempts =
    local === null
      ? await deliverRemotely(
          app,
          recipientDomain,
          { ehlo: app.config.mailHost, mailFrom, recipient, raw },
          timeouts,
        )
      : [local.attempt]
  await app.db.transaction().execute(async (tx) => {
    const status = await recordAttempt(app, tx, by, delivery, attempts)
    if (status === 'delivered') await local?.keep?.(tx)
    if (status === 'failed') await bounce(app, tx, message, delivery, attempts, raw)
  })
}

/** null: not for this installation. Storing and the ledger share one transaction, so local mail arrives exactly once. */
const deliverLocally = async (
  app: App,
  message: OutboxMessage,
  address: string,
  raw: Buffer,
): Promise<Local | null> => {
  const recipient = await findRecipient(app, address)
  switch (recipient.kind) {
    case 'foreign':
      return null
    case 'unknown':
      return refused('failed', 550, '550 5.1.1 No such mailbox here')
    case 'role': {
      if ((await readersOfRole(app, recipient.workspaceId)).length === 0)
        return refused('deferred', 450, '450 4.2.1 Nobody reads this address yet')
      const { workspaceId } = recipient
      const subject = `mail from ${message.mailFrom || 'the mail system'}`
      return kept((tx) => forwardToRole(app, tx, { address, workspaceId }, { raw, subject }))
    }
    case 'mailbox': {
      if (!(await hasRoom(app, recipient.mailboxId, raw.length)))
        return refused('deferred', 452, '452 4.2.2 The storage of this mailbox is full')
      const { mailFrom } = message
      const traced = withTrace(app, raw, mailFrom, address)
      return kept((tx) =>
        receiveMessage(app, tx, { raw: traced, mailFrom, authentication: null }, [recipient]),
      )
    }
  }
}

const kept = (keep: (tx: Db) => Promise<void>): Local => ({
  attempt: local('delivered', 250, '250 2.0.0 Stored here'),
  keep,
})

const refused = (outcome: 'deferred' | 'failed', code: number, reply: string): Local => ({
  attempt: local(outcome, code, reply),
  keep: null,
})

const local = (outcome: Attempt['outcome'], code: number, reply: string): Attempt => ({
  outcome,
  host: 'local',
  ip: '',
  isTls: false,
  code,
  reply,
})

const hasRoom = async (app: App, mailboxId: string, bytes: number): Promise<boolean> => {
  try {
    await checkRoom(app, [mailboxId], bytes)
    return true
  } catch (error) {
    if (error instanceof AppError && error.type === 'STORAGE_FULL') return false
    throw error
  }
}

const withTrace = (app: App, raw: Buffer, mailFrom: string, recipient: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      traceHeaders({
        mailFrom,
        client: null,
        mailHost: app.config.mailHost,
        protocol: 'LOCAL',
        id: newId(),
        recipient,
        at: app.clock.now(),
      }),
    ),
    raw,
  ])

/** Only to a mailbox of ours that sent it: never for system mail, never for a bounce, never to a stranger. */
const bounce = async (
  app: App,
  tx: Db,
  message: OutboxMessage,
  delivery: ClaimedDelivery,
  attempts: Attempts,
  original: Buffer,
): Promise<void> => {
  const { workspaceId, mailboxId, mailFrom } = message
  if (workspaceId === null || mailboxId === null || mailFrom === '') return
  const last = attempts[attempts.length - 1] as Attempt
  const written = await writeBounce({
    mailHost: app.config.mailHost,
    sender: mailFrom,
    recipient: delivery.recipient,
    reply: last.reply,
    remoteHost: last.host,
    queuedAt: delivery.createdAt,
    at: app.clock.now(),
    messageId: `${newId()}@${app.config.mailHost}`,
    original,
  })
  const raw = withTrace(app, written, '', mailFrom)
  await receiveMessage(app, tx, { raw, mailFrom: '', authentication: null }, [
    { mailboxId, workspaceId },
  ])
}
