import { AppError } from '#contract/errors.ts'
import type { OpenedInvitation } from '#contract/workspace/invitations.ts'
import type { App } from '#server/app.ts'
import { hasAccount } from '#server/features/auth/accounts/open-invited-account.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { lockWorkspaces } from '../lock-workspaces.ts'
import { findInvitationByLink, type LinkedInvitation } from './invitations-store.ts'

/**
 * What the holder of a link is invited to. Changes nothing, since mail scanners open links too.
 * @throws INVALID_SIGNATURE when we mailed no such link, or long ago.
 */
export const openInvitation = async (app: App, token: string): Promise<OpenedInvitation> => {
  const found = await findInvitationByLink(app.db, hashToken(token))
  if (!found) throw new AppError('INVALID_SIGNATURE')
  const type = typeOf(app, found)
  if (type !== 'OPEN') return { type }
  const { email, role, workspaceName, inviterEmail: invitedBy } = found
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
): Promise<LinkedInvitation> => {
  const found = await findInvitationByLink(db, hashToken(token))
  const type = found && typeOf(app, found)
  if (type === 'EXPIRED') throw new AppError('LINK_EXPIRED')
  if (!found || type !== 'OPEN') throw new AppError('INVALID_SIGNATURE')
  return found
}

/** From here on nobody else answers it, or takes it back. @throws as requireOpenInvitation does. */
export const lockOpenInvitation = async (
  app: App,
  tx: Db,
  token: string,
): Promise<LinkedInvitation> => {
  const { workspaceId } = await requireOpenInvitation(app, tx, token)
  await lockWorkspaces(tx, [workspaceId])
  return requireOpenInvitation(app, tx, token)
}

const types = { joined: 'USED', declined: 'DECLINED', revoked: 'REVOKED' } as const

const typeOf = (app: App, { outcome, expiresAt }: LinkedInvitation): OpenedInvitation['type'] => {
  if (outcome !== null) return types[outcome]
  return expiresAt <= app.clock.now() ? 'EXPIRED' : 'OPEN'
}
