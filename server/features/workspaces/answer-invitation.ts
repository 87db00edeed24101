/**
 * What the holder of an invitation may do with it, once: join with the account of its address, sign up, or decline
 * (decision 014).
 */
import type { z } from 'zod'
import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { invitedSignUpForm, OpenedInvitation } from '#contract/invitations.ts'
import type { Workspace } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import { requireOpen, stateOfLink } from '#server/features/accounts/mail-link.ts'
import { hasAccount, openInvitedAccount } from '#server/features/accounts/open-account.ts'
import { hashPassword, refuseCommonPassword } from '#server/features/accounts/passwords.ts'
import {
  type Client,
  logSignedIn,
  logSignedUp,
  requireStarted,
  type StartedSession,
  startSession,
} from '#server/features/accounts/start-session.ts'
import { setCurrentWorkspace } from '#server/features/accounts/user-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { actorOf, linkActor } from '#server/features/accounts/who.ts'
import { type Actor, recordChange, SYSTEM } from '#server/features/audit/record-change.ts'
import { settingsNow } from '#server/features/operators/chosen-settings.ts'
import { insertMember } from '#server/features/tenants/workspace-queries.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceMembership } from '#server/storage/notifications.ts'
import { lockWorkspaces } from './hold-right.ts'
import { endInvitation, findInvitationByLink, type LinkedInvitation } from './invitation-queries.ts'
import { inviterName } from './invite.ts'
import { ownWorkspace } from './own-workspace.ts'
import { toWorkspace } from './workspaces.ts'

/**
 * The workspace becomes the current one. A forwarded link lets no other person join.
 * @throws FORBIDDEN for another address; INVALID_SIGNATURE, LINK_EXPIRED
 */
export const joinWorkspace = async (
  app: App,
  who: Who & { user: User },
  token: string,
): Promise<Workspace> => {
  const { workspace, invitation } = await app.db.transaction().execute(async (tx) => {
    const invitation = await lockOpenInvitation(app, tx, token)
    if (invitation.email !== who.user.email)
      throw new AppError('FORBIDDEN', { message: `This invitation is for ${invitation.email}` })
    await join(app, tx, invitation, actorOf(who))
    // Under the workspace that the caller's other pages listen to now.
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    const { workspaceId } = invitation
    const own = await ownWorkspace(tx, who.userId, workspaceId)
    return { workspace: toWorkspace(own, workspaceId), invitation }
  })
  logJoined(app, invitation, who.userId)
  return workspace
}

/**
 * What the holder of a link is invited to. Changes nothing, since mail scanners open links too.
 * @throws INVALID_SIGNATURE when we mailed no such link, or long ago.
 */
export const openInvitation = async (app: App, token: string): Promise<OpenedInvitation> => {
  const found = await findInvitationByLink(app.db, hashToken(token))
  if (!found) throw new AppError('INVALID_SIGNATURE')
  const type = types[stateOfLink(app, found)]
  if (type !== 'OPEN') return { type }
  const { email, role, workspaceName, inviterEmail, inviterFirstName, inviterLastName } = found
  const invitedBy =
    inviterEmail === null
      ? null
      : inviterName({
          email: inviterEmail,
          firstName: inviterFirstName ?? '',
          lastName: inviterLastName ?? '',
        })
  return {
    ...{ type, email, role, workspaceName, invitedBy },
    hasAccount: await hasAccount(app.db, email),
  }
}

/** @throws INVALID_SIGNATURE, also when it was answered or revoked; LINK_EXPIRED */
export const requireOpenInvitation = async (
  app: App,
  db: Db,
  token: string,
): Promise<LinkedInvitation> => requireOpen(app, await findInvitationByLink(db, hashToken(token)))

/** Locks the invitation against other answers and revocation. @throws as requireOpenInvitation does. */
export const lockOpenInvitation = async (
  app: App,
  tx: Db,
  token: string,
): Promise<LinkedInvitation> => {
  const { workspaceId } = await requireOpenInvitation(app, tx, token)
  await lockWorkspaces(tx, [workspaceId])
  return requireOpenInvitation(app, tx, token)
}

const types = {
  joined: 'USED',
  declined: 'DECLINED',
  revoked: 'REVOKED',
  EXPIRED: 'EXPIRED',
  OPEN: 'OPEN',
} as const

/**
 * Makes an account with the invited address, signed in and in the workspace. It gets no workspace of its own.
 * @throws SIGN_UP_CLOSED, USER_ALREADY_EXISTS, INVALID_SIGNATURE, LINK_EXPIRED, VALIDATION
 */
export const signUpInvited = async (
  app: App,
  { session: token, ...form }: z.output<typeof invitedSignUpForm>,
  client: Client,
): Promise<StartedSession> => {
  if ((await settingsNow(app)).signUp === 'closed') throw new AppError('SIGN_UP_CLOSED')
  await requireOpenInvitation(app, app.db, token)
  refuseCommonPassword(form.password)
  const passwordHash = await hashPassword(form.password, client.ip)
  const { started, invitation } = await app.db.transaction().execute(async (tx) => {
    const invitation = await lockOpenInvitation(app, tx, token)
    const { firstName, lastName } = form
    const { email } = invitation
    const user = await openInvitedAccount(app, tx, { email, firstName, lastName, passwordHash })
    await join(app, tx, invitation, linkActor(user, client.ip))
    const entered = await startSession(app, tx, user, client, 'invitation')
    return { started: requireStarted(entered), invitation }
  })
  logSignedUp(app, started.answer.user, client.ip)
  logSignedIn(app, started, client, 'invitation')
  logJoined(app, invitation, started.answer.user._id)
  return started
}

/** @throws INVALID_SIGNATURE, LINK_EXPIRED */
export const declineInvitation = (app: App, token: string): Promise<void> =>
  inTransaction(app, async (tx) => {
    const { id, workspaceId, email } = await lockOpenInvitation(app, tx, token)
    const endedAt = app.clock.now()
    await endInvitation(tx, workspaceId, id, { outcome: 'declined', endedAt })
    const invited = { ...SYSTEM, email, byWhat: 'A mailed link' }
    await recordChange(tx, endedAt, invited, {
      ...{ workspaceId, topic: 'members', action: 'declineInvitation' },
      ...{ what: 'Decline an invitation', object: email },
    })
    await announceChange(tx, { topic: 'workspaces', workspaceId })
    const by = { workspaceId, userId: email }
    logRight(app, tx, by, { what: 'invitation', objectId: id, change: 'declined', whose: email })
  })

const logJoined = (app: App, { workspaceId, role }: LinkedInvitation, userId: string): void =>
  app.logEvent('right-changed', {
    ...{ workspaceId, what: 'member', objectId: userId },
    ...{ change: `joined as ${role}`, by: userId, whose: userId },
  })

const join = async (
  app: App,
  tx: Db,
  { id, workspaceId, role, email }: LinkedInvitation,
  actor: Actor & { userId: string },
): Promise<void> => {
  const now = app.clock.now()
  const { userId } = actor
  await insertMember(tx, { workspaceId, userId, role, createdAt: now })
  await setCurrentWorkspace(tx, userId, workspaceId)
  await endInvitation(tx, workspaceId, id, { outcome: 'joined', endedAt: now })
  await recordChange(tx, now, actor, {
    ...{ workspaceId, topic: 'members', action: 'joinWorkspace', what: 'Join the workspace' },
    ...{ object: email, details: { role } },
  })
  await noteEvent(tx, {
    ...{ topic: 'member.joined', workspaceId, about: userId, at: now },
    data: { userId, email, role },
  })
  await announceMembership(tx)
  await announceChange(tx, { topic: 'workspaces', workspaceId })
}
