/** What was sent to a webhook and what it answered; a test, and sending again. */
import type { Attempt } from '#contract/developers/webhooks.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { INVALID_INPUT } from '#contract/fields.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { isId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { announceEvents } from '#server/storage/notifications.ts'
import { noteTestEvent } from './event-queries.ts'
import { openLane } from './lanes-store.ts'
import { requireWebhook } from './webhooks.ts'
import { readAttempts, waitAgain } from './webhooks-store.ts'

/** Of one webhook. */
const TRIES = { limit: 60, windowSeconds: 60 }

/** @throws NOT_EXISTS */
export const listAttempts = async (
  app: App,
  who: Who,
  id: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: Attempt[]; nextCursor: string | null }> => {
  const webhook = await requireWebhook(app.db, who, id)
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', INVALID_INPUT)
  const rows = await readAttempts(app.db, webhook, { after, limit: limit + 1 })
  const { items, nextCursor } = pageOf(rows, limit, (row) => row)
  return { items: items.map(toAttempt), nextCursor }
}

/** @throws NOT_EXISTS, WEBHOOK_OFF, TOO_MANY_REQUESTS */
export const testWebhook = async (app: App, who: Who, id: string): Promise<{ eventId: string }> => {
  const webhook = await requireWebhook(app.db, who, id)
  await spendThrottle(app, `webhook:${webhook.id}`, TRIES)
  const eventId = await noteTestEvent(app.db, webhook.id, app.clock.now())
  if (eventId === undefined) throw new AppError('WEBHOOK_OFF')
  return { eventId }
}

/** The same event, with the same id. @throws NOT_EXISTS, WEBHOOK_OFF, TOO_MANY_REQUESTS */
export const replayAttempt = async (
  app: App,
  who: Who,
  id: string,
  attemptId: string,
): Promise<{ eventId: string }> => {
  const webhook = await requireWebhook(app.db, who, id)
  if (!isId(attemptId)) throw new AppError('NOT_EXISTS')
  if (webhook.offReason !== null) throw new AppError('WEBHOOK_OFF')
  await spendThrottle(app, `webhook:${webhook.id}`, TRIES)
  return app.db.transaction().execute(async (tx) => {
    const event = await waitAgain(tx, webhook, attemptId)
    if (event === undefined) throw new AppError('NOT_EXISTS')
    const lane = { webhookId: webhook.id, workspaceId: who.workspaceId, about: event.about }
    await openLane(tx, lane, app.clock.now())
    await announceEvents(tx)
    return { eventId: event.id }
  })
}

type Row = Awaited<ReturnType<typeof readAttempts>>[number]

const toAttempt = ({ id, at, topic, ...row }: Row): Attempt => ({
  ...{ ...row, _id: id, at: at.toISOString() },
  topic: topic as Attempt['topic'],
})
