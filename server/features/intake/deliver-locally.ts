/** Mail for our own mailboxes never leaves the machine: stored in the transaction that writes the ledger. */
import type { App } from '#server/app.ts'
import { digestLocal, withTrace } from '#server/features/messages/receive-message.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import {
  type Attempt,
  LOCAL_HOST,
  type LocalDelivery,
} from '#server/features/outbox/record-attempt.ts'
import { domainOf } from '#server/standards/address.ts'
import type { MailFacts } from '#server/standards/junk/junk-rule.ts'
import { headerFactsOf } from '#server/standards/junk/mail-facts.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { headerLinesOf } from '#server/standards/message-lines.ts'
import { forwardToRole } from './forward-to-role.ts'
import { type Keep, takeMessage } from './take-message.ts'
import { type Refusal, refusals, takeRecipient } from './take-recipient.ts'

/** null: not for this installation. Storing and the ledger share one transaction, so local mail arrives exactly once. */
export const deliverLocally = async (
  app: App,
  message: OutboxMessage,
  address: string,
  raw: Buffer,
): Promise<LocalDelivery | null> => {
  const recipient = await takeRecipient(app, address, raw.length)
  const { mailFrom } = message
  switch (recipient.kind) {
    case 'refused':
      return recipient.why === 'foreign' ? null : refused(refusals[recipient.why])
    case 'role': {
      const subject = `mail from ${mailFrom || 'the mail system'}`
      return kept((tx) => forwardToRole(app, tx, recipient, { raw, subject }))
    }
    case 'mailbox': {
      const digest = await digestLocal(raw, message.workspaceId ?? '')
      const facts = isStranger(message, recipient) ? factsOf(app, mailFrom, raw, digest) : null
      const traced = withTrace(app, raw, mailFrom, address)
      const taking = { raw: traced, mailFrom, authentication: null, digest, facts }
      return kept((await takeMessage(app, taking, [recipient])).keep)
    }
  }
}

/** Another workspace here is as much a stranger as another server: what it sends is scored like all that comes in. */
const isStranger = ({ workspaceId }: OutboxMessage, recipient: { workspaceId: string }): boolean =>
  workspaceId !== null && workspaceId !== recipient.workspaceId

/** We know who sent it, so all that is checked of others holds. */
const checks = { spf: 'pass', dkim: 'pass', dmarc: 'pass' }

const factsOf = (
  app: App,
  mailFrom: string,
  raw: Buffer,
  { from, subject, content }: MessageDigest,
): MailFacts => ({
  ...{ checks, mailFrom, mailHost: app.config.mailHost, isQuarantined: false, allowedAs: null },
  ...{ from, subject, content, at: app.clock.now() },
  header: headerFactsOf(headerLinesOf(raw)),
  client: { helo: domainOf(mailFrom), ip: '', hasReverseName: null },
})

const kept = (keep: Keep): LocalDelivery => ({
  attempt: local('delivered', '250 2.0.0 Stored here'),
  keep,
})

const refused = ({ code, text }: Refusal): LocalDelivery => ({
  attempt: local(code.startsWith('5') ? 'failed' : 'deferred', `${code} ${text}`),
  keep: null,
})

const local = (outcome: Attempt['outcome'], reply: string): Attempt => ({
  ...{ outcome, host: LOCAL_HOST, ip: '', isTls: false },
  code: Number(reply.slice(0, 3)),
  reply,
})
