/** 'Add to workspace': a domain goes to another workspace of the same Admin, with all that hangs on it. */
import type { Domain } from '#contract/domains.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { DomainMove } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { moveBills, openBillsOf } from '#server/features/billing/move-bills.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { compose, isLikeALink, type Mail } from '#server/features/outbox/system-mail.ts'
import { tellAdmins } from '#server/features/ownership/ownership-mails.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { memberOf, personOf } from '#server/features/workspaces/member-emails.ts'
import { type OwnWorkspace, ownWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { workspacesOf } from '#server/features/workspaces/workspaces.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceSessionsEnded } from '#server/storage/notifications.ts'
import { countTies, endTies } from './address-ties-store.ts'
import {
  countHolders,
  countMessages,
  endDnsLinks,
  endHolders,
  findDomain,
  findMailboxes,
  freeBytes,
  hasDomainNamed,
  insertMoveEntries,
  lockDomain,
  lockMailboxes,
  type Move,
  moveEntries,
  moveOutgoing,
  moveReaders,
  moveRows,
} from './moves-store.ts'

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

type Moved = {
  domainName: string
  from: OwnWorkspace
  to: OwnWorkspace
}

/** A move is written down in both workspaces, and their other Admins are told: who moves a domain gets at its mail. */
export const tellOfMove = async (app: App, tx: Db, who: Who, moved: Moved): Promise<void> => {
  const { domainName, from, to } = moved
  const mover = await memberOf(tx, from.id, who.userId)
  if (!mover) throw new AppError('FORBIDDEN')
  const at = app.clock.now()
  const entry = { at, mailboxEmail: domainName, actor: personOf(mover) }
  const away = { workspaceId: from.id, kind: 'moved-away' as const, subject: to.name }
  const into = { workspaceId: to.id, kind: 'moved-in' as const, subject: from.name }
  await insertMoveEntries(tx, [
    { ...entry, ...away, id: newId() },
    { ...entry, ...into, id: newId() },
  ])
  const link = `${app.config.publicUrl}/dashboard/mailbox-access`
  for (const { id } of [from, to])
    await tellAdmins(app, tx, id, mailOf(moved, mover.email, link), mover.email)
}

const mailOf = ({ domainName, from, to }: Moved, moverEmail: string, link: string): Mail => {
  const name = toUnicodeDomain(domainName)
  return compose({
    subject: `${name} was moved to another workspace`,
    greeting: 'Hello,',
    before: [
      `${moverEmail} moved the domain ${name} from ${nameOf(from)} to ${nameOf(to)}, with its mailboxes and all of their mail.`,
      'Nobody signs in to these mailboxes any more until they are let in anew. The Admins of the other workspace may read this mail; who does is written down and comes back with the domain.',
    ],
    button: { label: 'Open the access log', link },
    after: ['If you did not expect this, ask the person who did it.'],
  })
}

const nameOf = ({ name }: OwnWorkspace): string =>
  isLikeALink(name) ? 'one workspace' : `the workspace “${name}”`

/** What would move now, and where to. Changes nothing. */
export const previewMove = async (app: App, who: Who, domainId: string): Promise<DomainMove> => {
  const { workspaceId } = who
  const domain = isId(domainId) ? await findDomain(app.db, workspaceId, domainId) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  const mailboxes = await findMailboxes(app.db, workspaceId, domain.id)
  const ids = mailboxes.map(({ id }) => id)
  const workspaces = await workspacesOf(app, who)
  return {
    mailboxes: ids.length,
    messages: await countMessages(app.db, workspaceId, domain.id),
    size: mailboxes.reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    endingAddresses: await countTies(app.db, workspaceId, domain.id),
    holders: await countHolders(app.db, workspaceId, domain.id),
    ...(await openBillsOf(app.db, workspaceId, ids)),
    workspaces: workspaces
      .filter(({ _id, role }) => _id !== workspaceId && memberCan(role, 'move-domains'))
      .map(({ _id, name }) => ({ _id, name })),
  }
}
