/** 'Add to workspace': a domain goes to another workspace of the same Admin, with all that hangs on it. */
import type { Domain } from '#contract/domains.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { DomainMove } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import { countHoldersOf, deleteHoldersOf } from '#server/features/accounts/user-queries.ts'
import { actorOf, type Who } from '#server/features/accounts/who.ts'
import { recordChange } from '#server/features/audit/record-change.ts'
import { closeBillsOf, moveBills, openBillsOf } from '#server/features/billing/move-bills.ts'
import { moveCheckRows } from '#server/features/checks/link-queries.ts'
import {
  hasDomainNamed,
  lockWholeDomain,
  moveDomainRows,
  readDomain,
} from '#server/features/domains/domain-queries.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { moveJunkRows } from '#server/features/junk/correspondent-queries.ts'
import { insertEntries } from '#server/features/mailboxes/access/access-queries.ts'
import {
  freeBytes,
  lockMailboxesOf,
  mailboxesOf,
} from '#server/features/mailboxes/mailbox-queries.ts'
import {
  countMessagesOf,
  countTies,
  endTies,
  moveEntries,
  moveMailboxRows,
  moveReadersAndFolders,
} from '#server/features/mailboxes/move-queries.ts'
import { moveMessageRows } from '#server/features/messages/change-queries.ts'
import { moveOutgoing } from '#server/features/outbox/ledger-queries.ts'
import { compose, isLikeALink, type Mail } from '#server/features/outbox/system-mail.ts'
import { moveOwnershipRows } from '#server/features/ownership/claim-queries.ts'
import { mailAdmins } from '#server/features/ownership/ownership-mails.ts'
import { movePictureRows } from '#server/features/pictures/picture-sender-queries.ts'
import { endAppPasswordsOf } from '#server/features/programs/program-queries.ts'
import { moveSendingRows } from '#server/features/sending/move-queries.ts'
import { moveTestMailRows } from '#server/features/test-mails/test-mail-queries.ts'
import { moveTransferRows } from '#server/features/transfer/move-queries.ts'
import { moveUnsubscribingRows } from '#server/features/unsubscribing/unsubscription-queries.ts'
import { moveVacationRows } from '#server/features/vacation/vacation-queries.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { memberOf, personOf } from '#server/features/workspaces/member-emails.ts'
import { type OwnWorkspace, ownWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { workspacesOf } from '#server/features/workspaces/workspaces.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { deferReferences, type Move } from '#server/storage/move-rows.ts'
import { announceChange, announceSessionsEnded } from '#server/storage/notifications.ts'

const ALREADY_HERE = 'The domain is in this workspace already'
const ALREADY_THERE = 'The other workspace has a domain of this name already'
const TARGET_ENDS = 'The other workspace was deleted. Take it back first'
const NO_ROOM = 'The storage of the other workspace has no room for this mail'

/**
 * All of it or nothing; mail that arrives meanwhile waits and is filed where the mailbox is then.
 * @throws NOT_EXISTS, FORBIDDEN unless the caller is Admin of both, DOMAIN_EXISTS, STORAGE_FULL, WORKSPACE_DELETED,
 * STATUS_NOT_ALLOWED while an invoice for its mailboxes is being paid
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
  const mailboxes = await mailboxesOf(app.db, who.workspaceId, domainId)
  await closeBillsOf(
    ...([app, who.workspaceId] as const),
    mailboxes.map(({ id }) => id),
  )
  await inTransaction(app, (tx) => moveAll(app, tx, who, { domainId, from: who.workspaceId, to }))
  return getDomain(app, { ...who, workspaceId: to }, domainId)
}

type Asked = Omit<Move, 'mailboxIds'>

const moveAll = async (app: App, tx: Db, who: Who, asked: Asked): Promise<void> => {
  const { domainId, from, to } = asked
  await lockWorkspaces(tx, [from, to])
  // Checked under the lock: no member is being removed or demoted now.
  const source = await ownWorkspace(tx, who.userId, from, 'move-domains')
  const target = await ownWorkspace(tx, who.userId, to, 'move-domains')
  if (target.endsAt !== null) throw new AppError('WORKSPACE_DELETED', { message: TARGET_ENDS })
  const domain = await lockWholeDomain(tx, from, domainId)
  if (!domain) throw new AppError('NOT_EXISTS')
  if (await hasDomainNamed(tx, to, domain.name))
    throw new AppError('DOMAIN_EXISTS', { message: ALREADY_THERE })
  const mailboxIds = (await mailboxesOf(tx, from, domainId)).map(({ id }) => id)
  const move = { ...asked, mailboxIds }
  await deferReferences(tx)
  // Outbound workers lock a delivery before the mailbox that its bounce goes to.
  await moveOutgoing(tx, move, mailboxIds)
  const mailboxes = await lockMailboxesOf(tx, from, domainId)
  const bytes = mailboxes.reduce((sum, { usedBytes }) => sum + usedBytes, 0)
  if (bytes > 0 && (await freeBytes(tx, to)) < bytes)
    throw new AppError('STORAGE_FULL', { message: NO_ROOM })
  await moveBills(app, tx, { from, to, domainName: toUnicodeDomain(domain.name) }, mailboxIds)
  // Again: mail may have been sent before the mailboxes were locked.
  await moveOutgoing(tx, move, mailboxIds)
  // Holders of these mailboxes got their access from the former workspace, so it ends.
  await deleteHoldersOf(tx, mailboxIds)
  await announceSessionsEnded(tx)
  await moveAllRows(tx, move, domain.name)
  await mailMoveNotice(app, tx, who, { domainName: domain.name, from: source, to: target })
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

/** The domain with all that hangs on it, each room its own; what hangs on a mailbox before the mailbox. All are locked. */
const moveAllRows = async (tx: Db, move: Move, domainName: string): Promise<void> => {
  await endTies(tx, move)
  await moveReadersAndFolders(tx, move)
  // One that is made at this moment waits for its reader, who has moved.
  await endAppPasswordsOf(tx, move.mailboxIds)
  await moveMessageRows(tx, move)
  await moveJunkRows(tx, move)
  await movePictureRows(tx, move)
  await moveUnsubscribingRows(tx, move)
  await moveSendingRows(tx, move)
  await moveVacationRows(tx, move)
  await moveTransferRows(tx, move)
  await moveTestMailRows(tx, move)
  await moveMailboxRows(tx, move)
  await moveOwnershipRows(tx, move)
  await moveCheckRows(tx, move)
  await moveDomainRows(tx, move)
  await moveEntries(tx, move, domainName)
}

type Moved = {
  domainName: string
  from: OwnWorkspace
  to: OwnWorkspace
}

/** A move is logged in both workspaces, and their other Admins get a mail: moving a domain gives access to its mail. */
export const mailMoveNotice = async (app: App, tx: Db, who: Who, moved: Moved): Promise<void> => {
  const { domainName, from, to } = moved
  const mover = await memberOf(tx, from.id, who.userId)
  if (!mover) throw new AppError('FORBIDDEN')
  const at = app.clock.now()
  const about = { mailboxId: null, mailboxEmail: domainName, reason: '' }
  const entry = { ...about, at, actor: personOf(mover) }
  const away = { workspaceId: from.id, kind: 'moved-away' as const, subject: to.name }
  const into = { workspaceId: to.id, kind: 'moved-in' as const, subject: from.name }
  await insertEntries(tx, [
    { ...entry, ...away, id: newId() },
    { ...entry, ...into, id: newId() },
  ])
  // The log of the workspace from which it is moved has the request.
  const name = `${mover.firstName} ${mover.lastName}`.trim()
  await recordChange(tx, at, actorOf({ ...who, user: { name, email: mover.email } }), {
    ...{ workspaceId: to.id, topic: 'domains', action: 'moveDomain' },
    ...{ object: toUnicodeDomain(domainName), what: 'Get a domain from another workspace' },
    details: { workspace: from.name },
  })
  const link = `${app.config.publicUrl}/dashboard/mailbox-access`
  for (const { id } of [from, to])
    await mailAdmins(app, tx, id, movedMail(moved, mover.email, link), mover.email)
}

export const movedMail = (
  { domainName, from, to }: Moved,
  moverEmail: string,
  link: string,
): Mail => {
  const name = toUnicodeDomain(domainName)
  return compose({
    subject: `${name} was moved to another workspace`,
    preview: `${moverEmail} moved it, with its mailboxes and their mail.`,
    greeting: 'Hello,',
    before: [
      `${moverEmail} moved the domain ${name} from ${nameOf(from)} to ${nameOf(to)}, with its mailboxes and all of their mail.`,
      'The people who signed in to these mailboxes cannot do so until an Admin of the other workspace gives them access again. Admins of that workspace may read this mail; the log of access shows who did, and comes back with the domain.',
    ],
    button: { label: 'Open the access log', link },
    after: ['If you did not expect this, ask the person who did it.'],
    reason: 'You get this mail as an Admin of one of the two workspaces.',
  })
}

const nameOf = ({ name }: OwnWorkspace): string =>
  isLikeALink(name) ? 'one workspace' : `the workspace “${name}”`

/** Returns what would move now, and to which workspaces. Changes nothing. */
export const previewMove = async (app: App, who: Who, domainId: string): Promise<DomainMove> => {
  const { workspaceId } = who
  const domain = isId(domainId) ? await readDomain(app.db, workspaceId, domainId) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  const mailboxes = await mailboxesOf(app.db, workspaceId, domain.id)
  const ids = mailboxes.map(({ id }) => id)
  const workspaces = await workspacesOf(app, who)
  return {
    mailboxes: ids.length,
    messages: await countMessagesOf(app.db, workspaceId, domain.id),
    size: mailboxes.reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    endingAddresses: await countTies(app.db, workspaceId, domain.id),
    holders: await countHoldersOf(app.db, ids),
    ...(await openBillsOf(app, workspaceId, ids)),
    workspaces: workspaces
      .filter(
        ({ _id, role, endsAt }) =>
          _id !== workspaceId && endsAt === null && memberCan(role, 'move-domains'),
      )
      .map(({ _id, name }) => ({ _id, name })),
  }
}
