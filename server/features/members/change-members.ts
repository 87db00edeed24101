/** Roles and departures. A workspace keeps at least one Admin, also when two leave at once. */
import { AppError } from '#contract/errors.ts'
import { memberCan, type Role, role } from '#contract/rights.ts'
import type { Member } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import { forgetCurrentWorkspace } from '#server/features/accounts/user-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { deleteLinksBy } from '#server/features/checks/link-queries.ts'
import { endKeysBy } from '#server/features/keys/key-queries.ts'
import {
  deleteReadersBy,
  endRights,
  insertEntries,
  withdrawLinksBy,
} from '#server/features/mailboxes/access/access-queries.ts'
import {
  countAdmins,
  deleteMember,
  lockMember,
  setRole,
} from '#server/features/tenants/workspace-queries.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { switchOffMadeBy } from '#server/features/webhooks/switch-off.ts'
import { lockMembers, lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { revokeInvitationsBy } from '#server/features/workspaces/invitation-queries.ts'
import { personOf } from '#server/features/workspaces/member-emails.ts'
import {
  findMember,
  findMembers,
  type MemberRow,
} from '#server/features/workspaces/member-queries.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import {
  announceChange,
  announceMailbox,
  announceMembership,
} from '#server/storage/notifications.ts'
import type { ReaderOrigin } from '#server/storage/rows/access-tables.ts'

/** @throws NOT_EXISTS, LAST_ADMIN */
export const changeRole = (app: App, who: Who, userId: string, given: Role): Promise<Member> =>
  change(app, who, userId, given, async (tx, row) => {
    if (given !== 'Admin') await requireOtherAdmin(tx, who, row)
    if (isLess(given, row.role)) await endWaysIn(app, tx, who, row, given)
    await setRole(tx, who.workspaceId, row.userId, given)
    // Event streams tell of what the role may see.
    await announceMembership(tx)
    return toMember({ ...row, role: given }, who)
  })

const BY_ROLE = 'This member no longer has the role that this needs'

/**
 * A member who leaves the workspace or loses a role loses everything made with it: invitations, API keys, links to
 * mailboxes, links to DNS records, webhooks (decision 122), and the mailboxes that they read by the role alone. What an Admin
 * gave them stays.
 * Behind the lock of the workspace; pages and event streams learn of it at once.
 */
export const endWaysIn = async (
  app: Pick<App, 'clock' | 'logEvent'>,
  tx: Db,
  who: Pick<Who, 'workspaceId' | 'userId'>,
  person: MemberRow,
  role: Role | null,
): Promise<void> => {
  const { workspaceId } = who
  const maker = { workspaceId, userId: person.userId }
  const at = app.clock.now()
  const invitations = await revokeInvitationsBy(tx, maker, at)
  const dnsLinks = await deleteLinksBy(tx, maker)
  const keys = await endKeysBy(tx, maker)
  const withdrawn = await withdrawLinksBy(tx, maker, at)
  const ended = await endRights(tx, maker, originsLost(role))
  const webhooks = memberCan(role ?? 'User', 'manage-webhooks')
    ? []
    : await switchOffMadeBy(tx, maker, at)
  if (role === null)
    await noteEvent(tx, {
      ...{ topic: 'member.left', workspaceId, about: person.userId, at },
      data: { userId: person.userId, email: person.email },
    })
  const caller = await findMember(tx, workspaceId, who.userId)
  const entry = { workspaceId, actor: caller ? personOf(caller) : '', at, reason: BY_ROLE }
  await insertEntries(tx, [
    ...withdrawn.map((mailbox) => ({
      ...{ ...entry, id: newId(at.getTime()), mailboxId: mailbox.id, mailboxEmail: mailbox.email },
      ...{ kind: 'link-withdrawn' as const, subject: '' },
    })),
    ...ended.map((mailbox) => ({
      ...{ ...entry, id: newId(at.getTime()), mailboxId: mailbox.id, mailboxEmail: mailbox.email },
      ...{ kind: 'taken-back' as const, subject: personOf(person) },
    })),
  ])
  const whose = person.userId
  const lost: Lost[] = [
    ...invitations.map(({ id, email }) => lostWay('invitation', id, 'revoked', email)),
    ...dnsLinks.map(({ id }) => lostWay('dns-link', id, 'revoked', whose)),
    ...keys.map(({ id }) => lostWay('api-key', id, 'ended', whose)),
    ...webhooks.map((id) => lostWay('webhook', id, 'switched-off', whose)),
    ...withdrawn.map(({ id }) => lostWay('mailbox', id, 'link-withdrawn', whose)),
    ...ended.map(({ id }) => lostWay('mailbox', id, 'taken-back', whose)),
  ]
  for (const right of lost) logRight(app, tx, who, right)
  for (const mailboxId of new Set([...withdrawn, ...ended].map(({ id }) => id)))
    await announceMailbox(tx, { workspaceId, mailboxId })
  await announceChange(tx, { topic: 'domains', workspaceId })
}

type Lost = Parameters<typeof logRight>[3]
const lostWay = (what: Lost['what'], objectId: string, change: string, whose: string): Lost => ({
  ...{ what, objectId, change, whose },
})

/** null: they leave. */
const originsLost = (role: Role | null): ReaderOrigin[] => {
  if (role === null) return ['given', 'taken', 'made']
  if (!memberCan(role, 'manage-mailboxes')) return ['taken', 'made']
  return memberCan(role, 'give-mailboxes') ? [] : ['taken']
}

/** Sorted by name. */
export const listMembers = async (app: App, who: Who): Promise<Member[]> =>
  (await findMembers(app.db, who.workspaceId)).map((row) => toMember(row, who))

export const toMember = (row: MemberRow, who: Who): Member => ({
  _id: row.userId,
  name: `${row.firstName} ${row.lastName}`.trim(),
  email: row.email,
  avatar: row.avatar,
  role: row.role,
  lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  isYou: row.userId === who.userId,
})

/** @throws NOT_EXISTS, LAST_ADMIN */
export const removeMember = (app: App, who: Who, userId: string): Promise<void> =>
  change(app, who, userId, 'removed', async (tx, row) => {
    await endMembership(app, tx, who, row)
  })

/** Of the caller, whatever their role is. @throws NOT_EXISTS, LAST_ADMIN */
export const leaveWorkspace = async (app: App, who: Who, workspaceId: string): Promise<void> => {
  if (!isId(workspaceId)) throw new AppError('NOT_EXISTS')
  const there = { ...who, workspaceId }
  await inTransaction(app, async (tx) => {
    await lockWorkspaces(tx, [workspaceId])
    await changeLocked(app, tx, there, who.userId, 'left', (row) =>
      endMembership(app, tx, there, row),
    )
  })
}

const endMembership = async (app: App, tx: Db, who: Who, row: MemberRow): Promise<void> => {
  await requireOtherAdmin(tx, who, row)
  await endWaysIn(app, tx, who, row, null)
  await deleteReadersBy(tx, { workspaceId: who.workspaceId, userId: row.userId })
  await deleteMember(tx, who.workspaceId, row.userId)
  await forgetCurrentWorkspace(tx, row.userId, who.workspaceId)
  await announceMembership(tx)
}

/** @throws NOT_EXISTS when the user is not a member of this workspace. */
export const requireMember = async (app: App, who: Who, userId: string): Promise<void> => {
  if (!isId(userId) || !(await findMember(app.db, who.workspaceId, userId)))
    throw new AppError('NOT_EXISTS')
}

const change = async <T>(
  app: App,
  who: Who,
  userId: string,
  to: Role | 'removed',
  act: (tx: Db, row: MemberRow) => Promise<T>,
): Promise<T> => {
  if (!isId(userId)) throw new AppError('NOT_EXISTS')
  return inTransaction(app, async (tx) => {
    await lockMembers(tx, who)
    return changeLocked(app, tx, who, userId, to, (row) => act(tx, row))
  })
}

/** The workspace is locked. @throws NOT_EXISTS when the user is no member of it */
const changeLocked = async <T>(
  app: App,
  tx: Db,
  who: Who,
  userId: string,
  to: Role | 'removed' | 'left',
  act: (row: MemberRow) => Promise<T>,
): Promise<T> => {
  await lockMember(tx, who.workspaceId, userId)
  const row = await findMember(tx, who.workspaceId, userId)
  if (!row) throw new AppError('NOT_EXISTS')
  // Before the membership goes, while the one who leaves still hears it.
  await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
  logRight(app, tx, who, { what: 'member', objectId: userId, change: to, whose: userId })
  return act(row)
}

/** The roles stand in the order of what they may do. */
const isLess = (one: Role, other: Role): boolean =>
  role.options.indexOf(one) > role.options.indexOf(other)

const requireOtherAdmin = async (tx: Db, who: Who, row: MemberRow): Promise<void> => {
  if (row.role === 'Admin' && (await countAdmins(tx, who.workspaceId)) < 2)
    throw new AppError('LAST_ADMIN')
}
