/** Another workspace here is as much a stranger as another server: what it sends is scored like all that comes in. */
import type { Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import { headerFactsOf } from '#server/standards/junk/header-facts.ts'
import { domainOf } from '#server/standards/junk/junk-rule.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { headerLinesOf } from '#server/standards/message-lines.ts'
import { messageScorer, type Recipient } from '../junk/score-message.ts'

/** We know who sent it, so all that is checked of others holds. */
const checks = { spf: 'pass', dkim: 'pass', dmarc: 'pass' }

/** undefined within a workspace, and of our own mail. */
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
