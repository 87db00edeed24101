import { AppError } from '#contract/errors.ts'
import type { TestMail } from '#contract/mail/test-mail.ts'
import type { Authentication } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { readDomain } from '#server/features/domains/domain-queries.ts'
import { readAttempts, readDeliveries } from '#server/features/outbox/ledger-queries.ts'
import { deliverySteps } from '#server/features/sending/journey.ts'
import { isId } from '#server/lib/ids.ts'
import { type KindOfReply, kindOfReply } from '#server/standards/auto-reply/kind-of-reply.ts'
import { reasonOf } from '#server/standards/bounce/bounce.ts'
import { headerLinesOf } from '#server/standards/message-lines.ts'
import { findReplies, keepAnswer, readTestMail, type TestMailRow } from './test-mail-store.ts'

/** Tells that an answer came and what its checks found, and nothing that is in it. @throws NOT_EXISTS */
export const getTestMail = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  domainId: string,
): Promise<{ testMail: TestMail | null }> => {
  if (!isId(domainId) || !(await readDomain(app.db, workspaceId, domainId)))
    throw new AppError('NOT_EXISTS')
  const row = await readTestMail(app.db, { workspaceId, domainId })
  if (row === undefined) return { testMail: null }
  const [delivery, answer] = await Promise.all([deliveryOf(app, row), answerTo(app, row)])
  const { email: from, recipient: to, sentAt } = row
  return { testMail: { from, to, sentAt: sentAt.toISOString(), delivery, answer } }
}

const deliveryOf = async (
  app: App,
  { outboxMessageId }: TestMailRow,
): Promise<TestMail['delivery']> => {
  const [deliveries, attempts] = await Promise.all([
    readDeliveries(app.db, outboxMessageId),
    readAttempts(app.db, outboxMessageId),
  ])
  const [delivery] = deliveries
  if (!delivery) return null
  const isExpired = attempts.at(-1)?.outcome === 'deferred'
  return {
    status: delivery.status,
    steps: deliverySteps(delivery, attempts),
    reason: delivery.status === 'failed' ? reasonOf(delivery.lastReply, isExpired) : null,
  }
}

/** Kept once it was seen: its reader may delete it. The answer of a person takes the place of every other one. */
const answerTo = async (app: App, row: TestMailRow): Promise<TestMail['answer']> => {
  const { answeredAt, answerResults, answerKind } = row
  const known =
    answeredAt && answerResults && answerKind && toAnswer(answeredAt, answerResults, answerKind)
  if (known && answerKind === 'answer') return known
  const found = await bestReply(app, row)
  if (!found || (known && found.kind !== 'answer')) return known || null
  const { date, authentication, kind } = found
  await keepAnswer(app.db, row, {
    ...{ answeredAt: date, answerResults: JSON.stringify(authentication), answerKind: kind },
  })
  return toAnswer(date, authentication, kind)
}

/** A reply may be large, and the page asks again and again. */
const beginningOf = async (app: App, blob: string): Promise<Buffer> => {
  for await (const piece of (await app.blobs.open(blob)).pieces()) return piece
  return Buffer.alloc(0)
}

type Reply = { date: Date; authentication: Authentication; kind: KindOfReply }

/** A person's, else an automatic one, else a returned message. */
const bestReply = async (app: App, row: TestMailRow): Promise<Reply | undefined> => {
  const replies: Reply[] = []
  for (const { date, authentication, blob, mailFrom } of await findReplies(app.db, row)) {
    if (authentication === null) continue
    const kind = kindOfReply(headerLinesOf(await beginningOf(app, blob)), mailFrom)
    replies.push({ date, authentication, kind })
    if (kind === 'answer') break
  }
  return (
    replies.find(({ kind }) => kind === 'answer') ??
    replies.find(({ kind }) => kind === 'automatic') ??
    replies[0]
  )
}

const toAnswer = (at: Date, { spf, dkim, dmarc }: Authentication, kind: KindOfReply) => ({
  ...{ at: at.toISOString(), kind, spf, dkim, dmarc },
})
