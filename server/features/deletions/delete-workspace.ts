import type { Deleted, deleteWorkspace as deleteWorkspaceRoute } from '#contract/deletions.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { confirmPassword } from '#server/features/accounts/change-password.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { withdrawOrdersOf } from '#server/features/billing/stripe/orders.ts'
import { countDomains } from '#server/features/domains/deleted-queries.ts'
import { readUse } from '#server/features/mailboxes/deleted-queries.ts'
import { markWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { ownWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { callerName } from './delete-later.ts'
import { mailWorkspaceDeleted } from './deletion-mails.ts'
import { endOf } from './preview-deletion.ts'

const OTHER_NAME = 'This is not the name of the workspace'

/**
 * Until its end it works on: whoever closes a company still answers its customers.
 * @throws NOT_EXISTS, FORBIDDEN, VALIDATION, TOO_MANY_REQUESTS, WORKSPACE_DELETED; STATUS_NOT_ALLOWED while an order is being paid
 */
export const deleteWorkspace = async (
  app: App,
  who: Who,
  id: string,
  { name, password }: Input<typeof deleteWorkspaceRoute>['body'],
): Promise<Deleted> => {
  const found = await ownWorkspace(app.db, who.userId, id, 'delete-workspace')
  if (name.trim() !== found.name.trim()) throw invalidField('name', OTHER_NAME)
  await confirmPassword(app, who, password, 'password')
  const there = { ...who, workspaceId: found.id }
  await withdrawOrdersOf(app, { workspaceId: found.id })
  return inTransaction(app, async (tx) => {
    await lockWorkspaces(tx, [found.id])
    const workspace = await ownWorkspace(tx, who.userId, found.id, 'delete-workspace')
    if (workspace.endsAt !== null) throw new AppError('WORKSPACE_DELETED')
    const deletedBy = await callerName(tx, there)
    const now = app.clock.now()
    const deleted = { endsAt: endOf(now), deletedBy }
    await markWorkspace(tx, workspace.id, deleted)
    const { mailboxes } = await readUse(tx, { workspaceId: workspace.id }, now)
    const domains = await countDomains(tx, workspace.id)
    const { id: _id, name: itsName } = workspace
    await mailWorkspaceDeleted(app, tx, { id: _id, name: itsName, ...deleted, mailboxes, domains })
    await announceChange(tx, { topic: 'workspaces', workspaceId: _id })
    logRight(app, tx, there, { what: 'workspace', objectId: _id, change: 'deleted', whose: '' })
    const endsAt = deleted.endsAt.toISOString()
    return { _id, kind: 'workspace', name: itsName, mailboxes, endsAt, deletedBy }
  })
}
