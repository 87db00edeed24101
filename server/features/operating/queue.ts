/** The outgoing queue, for operators (decision 104). */
import type {
  QueueChange,
  QueuedDelivery,
  QueueGroup,
  QueueTarget,
} from '#contract/operator/queue.ts'
import { type Operator, type OperatorApp, operate } from '#server/features/operators/operators.ts'
import {
  changeQueued,
  countQueue,
  type QueueRow,
  readQueue,
  readQueueGroups,
} from '#server/features/outbox/queue-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Page } from '#server/lib/list-pages.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { announceDelivery } from '#server/storage/notifications.ts'

const MOST_GROUPS = 500

export const listQueue = async ({
  db,
}: Pick<OperatorApp, 'db'>): Promise<{ items: QueueGroup[]; total: number }> => {
  const [groups, total] = await Promise.all([readQueueGroups(db, MOST_GROUPS), countQueue(db)])
  const items = groups.map((group) => ({
    ...group,
    oldestAt: group.oldestAt.toISOString(),
    nextAttemptAt: group.nextAttemptAt.toISOString(),
  }))
  return { items, total }
}

/** `target` null: all of the queue. */
export const showQueue = async (
  { db }: Pick<OperatorApp, 'db'>,
  target: QueueTarget | null,
  { limit, cursor }: Page,
): Promise<{ items: QueuedDelivery[]; nextCursor: string | null }> => {
  const after = cursor === undefined ? null : readCursor(cursor)
  const rows = await readQueue(db, target, { after, limit: limit + 1 })
  const { items, nextCursor } = pageOf(rows, limit, ({ createdAt: at, id }) => ({ at, id }))
  const ids = [...new Set(items.flatMap(({ workspaceId }) => workspaceId ?? []))]
  const named = ids.length === 0 ? [] : await workspaceRows(db).where('id', 'in', ids).execute()
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return { items: items.map((row) => toDelivery(row, names)), nextCursor }
}

const toDelivery = (row: QueueRow, names: ReadonlyMap<string, string>): QueuedDelivery => ({
  _id: row.id,
  mailFrom: row.mailFrom,
  recipient: row.recipient,
  workspaceName: names.get(row.workspaceId ?? '') ?? '',
  workspaceId: row.workspaceId,
  state: row.status === 'queued' && row.heldAt !== null ? 'held' : row.status,
  attempts: row.attempts,
  reason: row.lastReply,
  sizeBytes: row.sizeBytes,
  createdAt: row.createdAt.toISOString(),
  nextAttemptAt: row.nextAttemptAt.toISOString(),
})

/** What is dropped bounces to nobody: its sender sees it in the steps of the message. @returns how many were changed */
export const changeQueue = (
  app: OperatorApp,
  operator: Operator,
  change: QueueChange,
  target: QueueTarget,
): Promise<number> =>
  operate(app, operator, async (tx) => {
    const answer = await changeQueued(tx, change, target, app.clock.now())
    if (answer === 0) return { action: null, answer }
    if (change !== 'hold') await announceDelivery(tx)
    const workspaceId = target.by === 'workspace' ? target.value : null
    const subject = `${target.by} ${target.value}`
    const detail = `${answer} ${answer === 1 ? 'delivery' : 'deliveries'}`
    return { action: { verb: `queue ${change}`, workspaceId, subject, detail }, answer }
  })
