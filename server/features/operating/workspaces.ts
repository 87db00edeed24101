/** Workspaces, for operators: which there are, what they use and send, and what to do about one (decision 104). */
import { AppError } from '#contract/errors.ts'
import type { OperatorVerb } from '#contract/operator/actions.ts'
import type {
  OperatedWorkspace,
  OperatedWorkspaceDetails,
  WorkspaceOrder,
} from '#contract/operator/workspaces.ts'
import { type Operator, type OperatorApp, operate } from '#server/features/operators/operators.ts'
import { makeHeldDeliveriesDue } from '#server/features/outbox/ledger-queries.ts'
import { SUSPENDED } from '#server/features/sending/stops/stop-sending.ts'
import {
  setStorageQuota,
  setSuspended,
  workspaceRows,
} from '#server/features/tenants/workspace-queries.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { type Listing, type Paged, pageOf, soughtBy } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceDelivery } from '#server/storage/notifications.ts'
import { toAction } from './actions.ts'
import { readActionsOf } from './actions-store.ts'
import {
  countWorkspaces,
  type OperatedRow,
  readDomainCounts,
  readOperatedWorkspaces,
  readPeople,
  readSenders,
  readWorkspacePage,
  workspaceSortKind,
} from './workspaces-store.ts'

const MOST_SENDERS = 20
const MOST_ACTIONS = 50

type WorkspaceListing = Listing<WorkspaceOrder> & { only?: 'suspended' | 'deleted' | undefined }

export const listWorkspaces = async (
  { db, clock }: Pick<OperatorApp, 'db' | 'clock'>,
  listing: WorkspaceListing,
): Promise<Paged<OperatedWorkspace> & { total: number }> => {
  const since = secondsAfter(clock.now(), -DAY_SECONDS)
  const search = { ...soughtBy(listing), only: listing.only ?? null, since }
  const [{ items, ...page }, total] = await Promise.all([
    pageOf(listing, workspaceSortKind(listing.order), (range) =>
      readWorkspacePage(db, search, range),
    ),
    countWorkspaces(db, search),
  ])
  const ids = items.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await readOperatedWorkspaces(db, ids, since)
  const byId = new Map(rows.map((row) => [row.id, toOperated(row)]))
  return { ...page, items: ids.flatMap((id) => byId.get(id) ?? []), total }
}

/** By its id, or by its name where only one has it. @throws NOT_EXISTS; STATUS_NOT_ALLOWED for a name of several */
export const findWorkspaceId = async (db: Db, wanted: string): Promise<string> => {
  if (isId(wanted)) return wanted
  const found = await workspaceRows(db)
    .where('name', '=', wanted)
    .where('endedAt', 'is', null)
    .limit(2)
    .execute()
  if (found.length > 1)
    throw new AppError('STATUS_NOT_ALLOWED', {
      message: `Several workspaces have the name ${wanted}. Please name one by its id`,
    })
  if (found[0] === undefined) throw new AppError('NOT_EXISTS')
  return found[0].id
}

/** @throws NOT_EXISTS */
const readOne = async (
  { db, clock }: Pick<OperatorApp, 'db' | 'clock'>,
  id: string,
): Promise<OperatedWorkspace> => {
  const since = secondsAfter(clock.now(), -DAY_SECONDS)
  const [row] = isId(id) ? await readOperatedWorkspaces(db, [id], since) : []
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return toOperated(row)
}

/** @throws NOT_EXISTS */
export const showWorkspace = async (
  app: Pick<OperatorApp, 'db' | 'clock'>,
  id: string,
): Promise<OperatedWorkspaceDetails> => {
  const workspace = await readOne(app, id)
  const { db, clock } = app
  const since = secondsAfter(clock.now(), -DAY_SECONDS)
  const [people, domainNames, senders, actions] = await Promise.all([
    readPeople(db, id),
    readDomainCounts(db, id),
    readSenders(db, id, since, MOST_SENDERS),
    readActionsOf(db, id, MOST_ACTIONS),
  ])
  return {
    ...workspace,
    ...{ domainNames, senders, actions: actions.map(toAction) },
    people: people.map(({ firstName, lastName, lastLoginAt, ...person }) => ({
      ...person,
      name: `${firstName} ${lastName}`.trim(),
      lastLoginAt: lastLoginAt?.toISOString() ?? null,
    })),
  }
}

const toOperated = ({ id, ...row }: OperatedRow): OperatedWorkspace => ({
  _id: id,
  ...row,
  createdAt: row.createdAt.toISOString(),
  endsAt: row.endsAt?.toISOString() ?? null,
  suspendedAt: row.suspendedAt?.toISOString() ?? null,
})

/** One that has not ended. `isLocked`: against other changes, until the transaction ends. @throws NOT_EXISTS */
export const requireWorkspace = async (db: Db, id: string, { isLocked = false } = {}) => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const open = workspaceRows(db).where('id', '=', id).where('endedAt', 'is', null)
  const row = await (isLocked ? open.forNoKeyUpdate() : open).executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return row
}

/** Its mail to others waits, also what is queued; it receives and is read as before. @throws NOT_EXISTS */
export const suspendWorkspace = (
  app: OperatorApp,
  operator: Operator,
  id: string,
  reason: string,
): Promise<OperatedWorkspace> =>
  change(app, operator, id, { verb: 'workspace suspend', detail: reason }, async (tx, name) => {
    const at = app.clock.now()
    await setSuspended(tx, id, { suspendedAt: at, suspendedFor: reason })
    await noteEvent(tx, {
      ...{ topic: 'workspace.suspended', workspaceId: id, about: id, at },
      data: { workspaceId: id, name, reason },
    })
  })

/** What waits is tried at once. @throws NOT_EXISTS */
export const resumeWorkspace = (
  app: OperatorApp,
  operator: Operator,
  id: string,
): Promise<OperatedWorkspace> =>
  change(app, operator, id, { verb: 'workspace resume', detail: '' }, async (tx, name) => {
    const at = app.clock.now()
    await setSuspended(tx, id, null)
    const all = { workspaceId: id, mailboxId: null }
    await makeHeldDeliveriesDue(tx, all, SUSPENDED, at)
    await noteEvent(tx, {
      ...{ topic: 'workspace.resumed', workspaceId: id, about: id, at },
      data: { workspaceId: id, name },
    })
    await announceDelivery(tx)
  })

/** @throws NOT_EXISTS */
export const setQuota = (
  app: OperatorApp,
  operator: Operator,
  id: string,
  quotaBytes: number,
): Promise<OperatedWorkspace> =>
  change(app, operator, id, { verb: 'workspace quota', detail: `${quotaBytes / 1e9} GB` }, (tx) =>
    setStorageQuota(tx, id, quotaBytes),
  )

const change = async (
  app: OperatorApp,
  operator: Operator,
  id: string,
  { verb, detail }: { verb: OperatorVerb; detail: string },
  act: (tx: Db, name: string) => Promise<void>,
): Promise<OperatedWorkspace> => {
  await operate(app, operator, async (tx) => {
    const row = await requireWorkspace(tx, id, { isLocked: true })
    await act(tx, row.name)
    await announceChange(tx, { topic: 'workspaces', workspaceId: id })
    return { action: { verb, workspaceId: id, subject: row.name, detail }, answer: undefined }
  })
  return readOne(app, id)
}
