/** Lists what was deleted, and takes it back exactly as it was. */
import type { Deleted, listDeleted as listDeletedRoute } from '#contract/deletions.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockDeletedDomain, markDomain } from '#server/features/domains/deleted-queries.ts'
import { lockDomain } from '#server/features/domains/domain-queries.ts'
import { scheduleChecksAt } from '#server/features/domains/record-queries.ts'
import {
  lockDeletedMailbox,
  markMailbox,
  markMailboxesOf,
  readDeletedMailbox,
} from '#server/features/mailboxes/deleted-queries.ts'
import { lockMailboxesOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { requirePlaces } from '#server/features/mailboxes/place-mailboxes.ts'
import { markWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { holdRight, lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { ownWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { isId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { announceDeletion } from './delete-later.ts'
import { readDeleted } from './deletions-store.ts'

const DOMAIN_FIRST = 'Its domain was deleted too. Take the domain back first'

/** @throws VALIDATION on `cursor` */
export const listDeleted = async (
  app: App,
  { workspaceId }: Who,
  { limit, cursor, kind }: Input<typeof listDeletedRoute>['query'],
): Promise<Output<typeof listDeletedRoute>> => {
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const rows = await readDeleted(app.db, {
    ...{ workspaceId, limit: limit + 1, after },
    ...{ kind: kind ?? null, id: null },
  })
  const { items, nextCursor } = pageOf(rows, limit, ({ endsAt, id }) => ({ at: endsAt, id }))
  return { items: items.map(toDeleted), nextCursor }
}

/** @throws NOT_EXISTS */
export const getDeleted = async (app: App, { workspaceId }: Who, id: string): Promise<Deleted> => {
  const asked = { workspaceId, limit: 1, after: null, kind: null }
  const [row] = isId(id) ? await readDeleted(app.db, { ...asked, id }) : []
  if (!row) throw new AppError('NOT_EXISTS')
  return toDeleted(row)
}

type Row = Awaited<ReturnType<typeof readDeleted>>[number]

const toDeleted = ({ id, kind, name, mailboxes, endsAt, deletedBy }: Row): Deleted => ({
  ...{ _id: id, kind, mailboxes, endsAt: endsAt.toISOString(), deletedBy: deletedBy ?? '' },
  name: kind === 'domain' ? toUnicodeDomain(name) : name,
})

/** @throws NOT_EXISTS, also when it has just ended; FORBIDDEN, MAILBOX_LIMIT */
export const restoreDeleted = async (app: App, who: Who, id: string): Promise<string> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const asked = id.toLowerCase()
  if (asked === who.workspaceId) return restoreWorkspace(app, who)
  return inTransaction(app, async (tx) => {
    const change = 'restored'
    const mailbox = await readDeletedMailbox(tx, who.workspaceId, asked)
    if (mailbox) {
      await restoreMailbox(app, tx, who, mailbox)
      logRight(app, tx, who, { what: 'mailbox', objectId: asked, change, whose: '' })
      return mailbox.email
    }
    const name = await restoreDomain(app, tx, who, asked)
    logRight(app, tx, who, { what: 'domain', objectId: asked, change, whose: '' })
    return name
  })
}

const restoreDomain = async (app: App, tx: Db, who: Who, id: string): Promise<string> => {
  const { workspaceId } = who
  await holdRight(tx, who, 'delete-domains')
  const domain = await lockDeletedDomain(tx, workspaceId, id)
  if (!domain) throw new AppError('NOT_EXISTS')
  const mailboxes = await lockMailboxesOf(tx, workspaceId, id)
  await markDomain(tx, domain, null)
  await markMailboxesOf(tx, domain, null)
  // Nobody has looked at its records meanwhile.
  await scheduleChecksAt(tx, [id], app.clock.now())
  await noteEvent(tx, {
    ...{ topic: 'domain.restored', workspaceId, about: id, at: app.clock.now() },
    data: { domainId: id, name: domain.name },
  })
  await announceDeletion(tx, workspaceId, mailboxes)
  return toUnicodeDomain(domain.name)
}

type Found = NonNullable<Awaited<ReturnType<typeof readDeletedMailbox>>>

const restoreMailbox = async (app: App, tx: Db, who: Who, found: Found): Promise<void> => {
  const { workspaceId } = who
  await holdRight(tx, who, 'manage-mailboxes')
  const domain = await lockDomain(tx, workspaceId, found.domainId)
  if (!domain) throw new AppError('NOT_EXISTS', { message: DOMAIN_FIRST })
  const mailbox = await lockDeletedMailbox(tx, workspaceId, found.id)
  if (!mailbox) throw new AppError('NOT_EXISTS')
  await requirePlaces(app, tx, workspaceId, [domain], 1)
  await markMailbox(tx, mailbox, null)
  await announceDeletion(tx, workspaceId, [mailbox])
}

const restoreWorkspace = (app: App, who: Who): Promise<string> =>
  inTransaction(app, async (tx) => {
    await lockWorkspaces(tx, [who.workspaceId])
    const workspace = await ownWorkspace(tx, who.userId, who.workspaceId, 'delete-workspace')
    // From its end on, a part of it may be gone already.
    if (workspace.endsAt === null || workspace.endsAt <= app.clock.now())
      throw new AppError('NOT_EXISTS')
    await markWorkspace(tx, workspace.id, null)
    await announceChange(tx, { topic: 'workspaces', workspaceId: workspace.id })
    const what = 'workspace' as const
    logRight(app, tx, who, { what, objectId: workspace.id, change: 'restored', whose: '' })
    return workspace.name
  })
