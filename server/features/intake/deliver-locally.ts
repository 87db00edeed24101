/** Mail for our own mailboxes never leaves the machine: stored in the transaction that writes the ledger. */

import { AppError } from '#contract/errors.ts'
import type { Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { messageScorer, type Recipient } from '#server/features/junk/junk-filter.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import { checkRoom } from '#server/features/messages/check-room.ts'
import { digestLocal, receiveMessage } from '#server/features/messages/receive-message.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf } from '#server/standards/address.ts'
import { headerFactsOf } from '#server/standards/junk/mail-facts.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { traceHeaders } from '#server/standards/message-headers.ts'
import { headerLinesOf } from '#server/standards/message-lines.ts'
import type { Db } from '#server/storage/database.ts'
import { forwardToRole, readersOfRole } from './forward-to-role.ts'

/** In the ledger, where another server would stand. */
export const LOCAL_HOST = 'local'

export type LocalDelivery = { attempt: Attempt; keep: ((tx: Db) => Promise<void>) | null }

/** null: not for this installation. Storing and the ledger share one transaction, so local mail arrives exactly once. */
export const deliverLocally = async (
  app: App,
  message: OutboxMessage,
  address: string,
  raw: Buffer,
): Promise<LocalDelivery | null> => {
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
      const digest = await digestLocal(raw, message.workspaceId ?? '')
      const junk = await junkOfNeighbour(app, message, { raw, digest }, recipient)
      const traced = withTrace(app, raw, mailFrom, address)
      return kept((tx) =>
        receiveMessage(app, tx, { raw: traced, mailFrom, authentication: null, digest }, [
          { ...recipient, ...(junk && { junk }) },
        ]),
      )
    }
  }
}

/** We know who sent it, so all that is checked of others holds. */
const checks = { spf: 'pass', dkim: 'pass', dmarc: 'pass' }

/**
 * Another workspace here is as much a stranger as another server: what it sends is scored like all that comes in.
 * undefined within a workspace, and of our own mail.
 */
export const junkOfNeighbour = async (
  app: App,
  { workspaceId, mailFrom }: OutboxMessage,
  { raw, digest }: { raw: Buffer; digest: MessageDigest },
  recipient: Recipient,
): Promise<Junk | undefined> => {
  if (workspaceId === null || workspaceId === recipient.workspaceId) return undefined
  const { mailHost } = app.config
  const score = messageScorer(
    app,
    {
      ...{ checks, mailFrom, mailHost, isQuarantined: false, at: app.clock.now() },
      ...{ from: digest.from, subject: digest.subject, content: digest.content },
      header: headerFactsOf(headerLinesOf(raw)),
      client: { helo: domainOf(mailFrom), ip: '', hasReverseName: null },
    },
    digest,
  )
  return score(recipient)
}

const kept = (keep: (tx: Db) => Promise<void>): LocalDelivery => ({
  attempt: local('delivered', 250, '250 2.0.0 Stored here'),
  keep,
})

const refused = (outcome: 'deferred' | 'failed', code: number, reply: string): LocalDelivery => ({
  attempt: local(outcome, code, reply),
  keep: null,
})

const local = (outcome: Attempt['outcome'], code: number, reply: string): Attempt => ({
  outcome,
  host: LOCAL_HOST,
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

export const withTrace = (app: App, raw: Buffer, mailFrom: string, recipient: string): Buffer =>
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
