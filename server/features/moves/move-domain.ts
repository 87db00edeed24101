/** 'Add to workspace': a domain goes to another workspace of the same Admin, with all that hangs on it. */
import type { Domain } from '#contract/domains.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/auth/log-right.ts'
import type { Who } from '#server/features/auth/who.ts'
import { moveBills } from '#server/features/billing/move-bills.ts'
import { getDomain } from '#server/features/domains/list-domains.ts'
import { lockWorkspaces } from '#server/features/workspaces/lock-workspaces.ts'
import { ownWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceSessionsEnded } from '#server/storage/notifications.ts'
import { endTies } from './address-ties-store.ts'
import {
  endDnsLinks,
  endHolders,
  freeBytes,
  hasDomainNamed,
  lockDomain,
  lockMailboxes,
  type Move,
  moveEntries,
  moveOutgoing,
  moveReaders,
  moveRows,
} from './moves-store.ts'
import { tellOfMove } from './tell-of-move.ts'

const ALREADY_HERE = 'The domain is in this workspace already'
const ALREADY_THERE = 'The other workspace has a domain of this name already'
const NO_ROOM = 'The storage of the other workspace has no room for this mail'

/**
 * All of it or nothing; mail that arrives meanwhile waits and is filed where the mailbox is then.
 * @throws NOT_EXISTS, FORBIDDEN unless the caller is Admin of both, DOMAIN_EXISTS, STORAGE_FULL
 */
export const moveDomain = async (
  app: App,
  who: Who,
  domainId: string,
  toWorkspaceId: string,
): Promise<Domain> => {
  if (!isId(domainId) || !isId(toWorkspaceId)) throw new AppError('NOT_EXISTS')
  const to = toWorkspaceId.toLowerCase()
  if (to === who.workspaceId) throw invalidField('workspaceId', ALREADY_HERE)
  await inTransaction(app.db, (tx) =>
    moveAll(app, tx, who, { domainId, from: who.workspaceId, to }),
  )
  return getDomain(app, { ...who, workspaceId: to }, domainId)
}

const moveAll = async (app: App, tx: Db, who: Who, move: Move): Promise<void> => {
  const { domainId, from, to } = move
  await lockWorkspaces(tx, [from, to])
  // Asked behind the lock: nobody is being removed or demoted now.
  const source = await ownWorkspace(tx, who.userId, from, 'move-domains')
  const target = await ownWorkspace(tx, who.userId, to, 'move-domains')
  const domain = await lockDomain(tx, from, domainId)
  if (!domain) throw new AppError('NOT_EXISTS')
  if (await hasDomainNamed(tx, to, domain.name))
    throw new AppError('DOMAIN_EXISTS', { message: ALREADY_THERE })
  await moveOutgoing(tx, move)
  const mailboxes = await lockMailboxes(tx, from, domainId)
  const bytes = mailboxes.reduce((sum, { usedBytes }) => sum + usedBytes, 0)
  if (bytes > 0 && (await freeBytes(tx, to)) < bytes)
    throw new AppError('STORAGE_FULL', { message: NO_ROOM })
  await moveBills(
    app,
    tx,
    move,
    mailboxes.map(({ id }) => id),
  )
  await moveOutgoing(tx, move)
  await endHolders(tx, move)
  await announceSessionsEnded(tx)
  await moveReaders(tx, move)
  await endDnsLinks(tx, move)
  await endTies(tx, move)
  await moveRows(tx, move)
  await moveEntries(tx, move, domain.name)
  await tellOfMove(app, tx, who, { domainName: domain.name, from: source, to: target })
  const topics = ['domains', 'mailboxes'] as const
  const changed = [from, to].flatMap((workspaceId) =>
    topics.map((topic) => ({ topic, workspaceId })),
  )
  await announceChange(tx, ...changed)
  logRight(app, tx, who, {
    what: 'domain',
    objectId: domainId,
    change: `moved to ${to}`,
    whose: '',
  })
}
