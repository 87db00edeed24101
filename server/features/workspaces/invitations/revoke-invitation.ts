import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/auth/log-right.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { lockMembers } from '../lock-members.ts'
import { endInvitation, findOpenInvitation } from './invitations-store.ts'

/** Every link of it ends. @throws NOT_EXISTS, also when it has just been answered. */
export const revokeInvitation = async (app: App, who: Who, id: string): Promise<void> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  await inTransaction(app.db, async (tx) => {
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
