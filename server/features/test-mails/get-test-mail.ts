import { AppError } from '#contract/errors.ts'
import type { TestMail } from '#contract/mail/test-mail.ts'
import type { Authentication } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { readDomain } from '#server/features/domains/domain-queries.ts'
import { readAttempts, readDeliveries } from '#server/features/outbox/ledger-queries.ts'
import { deliverySteps } from '#server/features/sending/journey.ts'
import { isId } from '#server/lib/ids.ts'
import { findAnswer, keepAnswer, readTestMail, type TestMailRow } from './test-mail-store.ts'

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
  return delivery ? { status: delivery.status, steps: deliverySteps(delivery, attempts) } : null
}

/** Kept once it was seen: its reader may delete it. */
const answerTo = async (app: App, row: TestMailRow): Promise<TestMail['answer']> => {
  if (row.answeredAt !== null && row.answerResults !== null)
    return toAnswer(row.answeredAt, row.answerResults)
  const found = await findAnswer(app.db, row)
  if (!found?.authentication) return null
  const { date: answeredAt, authentication } = found
  await keepAnswer(app.db, row, { answeredAt, answerResults: JSON.stringify(authentication) })
  return toAnswer(answeredAt, authentication)
}

const toAnswer = (at: Date, { spf, dkim, dmarc }: Authentication) => ({
  ...{ at: at.toISOString(), spf, dkim, dmarc },
})
