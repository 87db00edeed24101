import { AppError } from '#contract/errors.ts'
import type { Invitation } from '#contract/invitations.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { lockMembers } from './hold-right.ts'
import {
  deleteInvitations,
  endInvitation,
  findOpenInvitation,
  findOpenInvitations,
  type InvitationRow,
} from './invitation-queries.ts'

/** Those that wait for an answer, newest first; also the ones that ran out, to be sent again. */
export const listInvitations = async (app: App, who: Who): Promise<Invitation[]> =>
  (await findOpenInvitations(app.db, who.workspaceId)).map(toInvitation)

export const toInvitation = (row: InvitationRow): Invitation => ({
  _id: row.id,
  email: row.email,
  role: row.role,
  sentAt: row.sentAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
})

/** Every link of it ends. @throws NOT_EXISTS, also when it has just been answered. */
export const revokeInvitation = async (app: App, who: Who, id: string): Promise<void> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  await inTransaction(app, async (tx) => {
    await lockMembers(tx, who)
    const found = await findOpenInvitation(tx, workspaceId, id)
    if (!found) throw new AppError('NOT_EXISTS')
    const ended = { outcome: 'revoked' as const, endedAt: app.clock.now() }
    await endInvitation(tx, workspaceId, id, ended)
    await announceChange(tx, { topic: 'workspaces', workspaceId })
    const whose = found.email
    logRight(app, tx, who, { what: 'invitation', objectId: found.id, change: 'revoked', whose })
  })
}

const KEPT_SECONDS = 30 * DAY_SECONDS

/** Answered and expired ones stay a while: "expired" is a better answer than "unknown". For a daily job. */
export const purgeInvitations = (app: App): Promise<void> =>
  deleteInvitations(app.db, secondsAfter(app.clock.now(), -KEPT_SECONDS))
