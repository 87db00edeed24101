/** Admins make, change and delete the webhooks of their workspace (decision 122). */
import {
  type addWebhook as addWebhookRoute,
  type changeWebhook as changeWebhookRoute,
  FORMER_SECRET_HOURS,
  MAX_WEBHOOKS,
  type MadeWebhook,
  type Webhook,
  webhookTopic,
} from '#contract/developers/webhooks.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { WEBHOOK_PORT_ONLY } from '#contract/fields.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { holdMemberRole } from '#server/features/tenants/workspace-queries.ts'
import { HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceEvents } from '#server/storage/notifications.ts'
import { makeLanesDue } from './lanes-store.ts'
import { newSecret, sealSecret } from './webhook-secrets.ts'
import {
  deleteWebhookRow,
  deleteWebhooksOf,
  findWebhook,
  insertWebhook,
  lockWebhooks,
  readWebhooks,
  updateWebhook,
  type WebhookRow,
} from './webhooks-store.ts'

const HTTPS_ONLY = 'Please enter an address that begins with https://'

export const listWebhooks = async (app: App, { workspaceId }: Who): Promise<Webhook[]> => {
  const now = app.clock.now()
  return (await readWebhooks(app.db, workspaceId)).map((row) => toWebhook(row, now))
}

/** @throws NOT_EXISTS */
export const getWebhook = async (app: App, who: Who, id: string): Promise<Webhook> =>
  toWebhook(await requireWebhook(app.db, who, id), app.clock.now())

/** @throws NOT_EXISTS */
export const requireWebhook = async (
  db: Db,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  id: string,
): Promise<WebhookRow> => {
  const row = isId(id) ? await findWebhook(db, { workspaceId, id }) : undefined
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return row
}

/** @throws FORBIDDEN, VALIDATION on `url`, WEBHOOK_LIMIT */
export const addWebhook = async (
  app: App,
  who: Who,
  { url, topics }: Input<typeof addWebhookRoute>['body'],
): Promise<MadeWebhook> => {
  requirePublicForm(app, url)
  const createdAt = app.clock.now()
  const { workspaceId, userId: createdBy } = who
  const id = newId(createdAt.getTime())
  const secret = newSecret()
  const secretSealed = sealSecret(app, id, secret)
  return inTransaction(app, async (tx) => {
    await holdOwnRight(tx, who)
    await lockWebhooks(tx, workspaceId)
    if ((await readWebhooks(tx, workspaceId)).length >= MAX_WEBHOOKS)
      throw new AppError('WEBHOOK_LIMIT')
    const own = { id, workspaceId, createdBy, createdAt, url, secretSealed }
    const row = await insertWebhook(tx, { ...own, topics: distinct(topics) })
    logRight(app, tx, who, { what: 'webhook', objectId: id, change: 'made', whose: createdBy })
    return { ...toWebhook(row, createdAt), secret }
  })
}

/**
 * Switched on or with another address, it belongs to the caller: it must not post to where somebody said who has left. What waits is
 * then tried at once, whatever the former address answered. @throws NOT_EXISTS, FORBIDDEN, VALIDATION on `url`
 */
export const changeWebhook = async (
  app: App,
  who: Who,
  id: string,
  { url, topics, isOn }: Input<typeof changeWebhookRoute>['body'],
): Promise<Webhook> => {
  if (url !== undefined) requirePublicForm(app, url)
  const now = app.clock.now()
  return inTransaction(app, async (tx) => {
    await holdOwnRight(tx, who)
    const before = await requireWebhook(tx, who, id)
    const wasOn = before.offReason === null
    const isMoved = url !== undefined && url !== before.url
    const isSwitched = isOn !== undefined && isOn !== wasOn
    const isAfresh = isMoved || isSwitched
    const row = await updateWebhook(tx, before, {
      url: url ?? before.url,
      topics: topics === undefined ? before.topics : distinct(topics),
      ...(isSwitched && isOn && { offReason: null, offAt: null }),
      ...(isSwitched && !isOn && { offReason: 'admin' as const, offAt: now }),
      ...((isMoved || (isSwitched && isOn)) && { createdBy: who.userId }),
      ...(isAfresh && afresh),
    })
    if (row === undefined) throw new AppError('NOT_EXISTS')
    if (isAfresh) await makeLanesDue(tx, row.id, now)
    await announceEvents(tx)
    if (isSwitched) {
      const change = isOn ? 'switched-on' : 'switched-off'
      logRight(app, tx, who, { what: 'webhook', objectId: row.id, change, whose: who.userId })
    }
    return toWebhook(row, now)
  })
}

const afresh = { failures: 0, failingSince: null, pausedUntil: null, isSlow: false }

/** With its log and what waits. @throws NOT_EXISTS */
export const deleteWebhook = (app: App, who: Who, id: string): Promise<void> =>
  inTransaction(app, async (tx) => {
    const row = await requireWebhook(tx, who, id)
    if (!(await deleteWebhookRow(tx, row))) throw new AppError('NOT_EXISTS')
    const right = { objectId: row.id, change: 'deleted', whose: who.userId }
    logRight(app, tx, who, { what: 'webhook', ...right })
  })

/** The workspace ends, also where its invoices keep its row. */
export const endWebhooksOf = (tx: Db, workspaceId: string): Promise<void> =>
  deleteWebhooksOf(tx, workspaceId)

/** The secret before it signs too for a day; one before that no more. It belongs to whoever knows the new one. @throws NOT_EXISTS, FORBIDDEN */
export const rotateSecret = async (app: App, who: Who, id: string): Promise<MadeWebhook> => {
  const now = app.clock.now()
  const secret = newSecret()
  return inTransaction(app, async (tx) => {
    await holdOwnRight(tx, who)
    const before = await requireWebhook(tx, who, id)
    const row = await updateWebhook(tx, before, {
      createdBy: who.userId,
      secretSealed: sealSecret(app, before.id, secret),
      formerSecretSealed: before.secretSealed,
      formerUntil: secondsAfter(now, FORMER_SECRET_HOURS * HOUR_SECONDS),
    })
    if (row === undefined) throw new AppError('NOT_EXISTS')
    const right = { objectId: row.id, change: 'secret-made', whose: who.userId }
    logRight(app, tx, who, { what: 'webhook', ...right })
    return { ...toWebhook(row, now), secret }
  })
}

/** Whoever loses the role waits until this ends, and then loses what was made. @throws FORBIDDEN */
const holdOwnRight = async (tx: Db, { workspaceId, userId }: Who): Promise<void> => {
  const role = await holdMemberRole(tx, workspaceId, userId)
  if (role === undefined || !memberCan(role, 'manage-webhooks')) throw new AppError('FORBIDDEN')
}

const requirePublicForm = ({ config }: App, url: string): void => {
  if (config.allowLoopbackPeers) return
  const { protocol, port } = new URL(url)
  if (protocol !== 'https:') throw invalidField('url', HTTPS_ONLY)
  if (port !== '') throw invalidField('url', WEBHOOK_PORT_ONLY)
}

const distinct = (topics: readonly string[]): string[] => [...new Set(topics)]

const toWebhook = (row: WebhookRow, now: Date): Webhook => ({
  _id: row.id,
  url: row.url,
  topics: row.topics.filter((topic) => webhookTopic.safeParse(topic).success) as Webhook['topics'],
  isOn: row.offReason === null,
  offReason: row.offReason,
  offAt: row.offAt?.toISOString() ?? null,
  failingSince: row.failingSince?.toISOString() ?? null,
  formerSecretUntil:
    row.formerUntil !== null && row.formerUntil > now ? row.formerUntil.toISOString() : null,
  createdAt: row.createdAt.toISOString(),
})
