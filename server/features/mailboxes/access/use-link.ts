/** What whoever has the link may do with it: look which mailbox it is for, and set the password of its holder, once. */
import { AppError } from '#contract/errors.ts'
import type { OpenedAccess } from '#contract/mail/access.ts'
import type { App } from '#server/app.ts'
import { endMailedLinks, openHolder } from '#server/features/accounts/holders.ts'
import { hashPassword, refuseCommonPassword } from '#server/features/accounts/passwords.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceMailbox } from '#server/storage/notifications.ts'
import { endLinks, type FoundLink, findLink } from './access-links-store.ts'
import { writeDown } from './access-log.ts'
import { deleteMakers, lockMailbox, upsertReader } from './access-store.ts'

/** Changes nothing, since mail scanners open links too. @throws INVALID_SIGNATURE when we made no such link, or long ago. */
export const openAccess = async (app: App, token: string): Promise<OpenedAccess> => {
  const found = await findLink(app.db, hashToken(token))
  if (!found) throw new AppError('INVALID_SIGNATURE')
  const type = typeOf(app, found)
  if (type !== 'OPEN') return { type }
  const { email, workspaceName, holderId } = found
  return { type, email, workspaceName, isReset: holderId !== null }
}

/**
 * From here on somebody has the mailbox for themselves: whoever made it reads it no more, unless that right was given or
 * taken, which they see.
 * @throws INVALID_SIGNATURE, also when it was used; LINK_EXPIRED, ACCOUNT_HAS_ADDRESS, VALIDATION
 */
export const acceptAccess = async (
  app: App,
  { session: token, password }: { session: string; password: string },
  ip: string,
): Promise<{ email: string }> => {
  const tokenHash = hashToken(token)
  const { workspaceId, mailboxId } = await requireOpen(app, app.db, tokenHash)
  refuseCommonPassword(password)
  const passwordHash = await hashPassword(password, ip)
  return inTransaction(app.db, async (tx) => {
    const mailbox = await lockMailbox(tx, workspaceId, mailboxId)
    // Read again behind the lock: it works once, and may have been taken back.
    await requireOpen(app, tx, tokenHash)
    if (!mailbox) throw new AppError('INVALID_SIGNATURE')
    const createdAt = app.clock.now()
    const { userId, isNew } = await openHolder(app, tx, mailbox, { passwordHash, ip })
    await endLinks(tx, workspaceId, mailboxId, { outcome: 'used', endedAt: createdAt })
    if (isNew) {
      await deleteMakers(tx, workspaceId, mailboxId)
      await upsertReader(tx, { workspaceId, mailboxId, userId, origin: 'holder', createdAt })
      await endMailedLinks(app, tx, mailbox)
    }
    const kind = isNew ? 'accepted' : 'reset'
    await writeDown(app, tx, mailbox, { kind, actor: `The holder of ${mailbox.email}` })
    await announceMailbox(tx, { workspaceId, mailboxId })
    return { email: mailbox.email }
  })
}

const requireOpen = async (app: App, db: Db, tokenHash: Buffer): Promise<FoundLink> => {
  const found = await findLink(db, tokenHash)
  const type = found && typeOf(app, found)
  if (type === 'EXPIRED') throw new AppError('LINK_EXPIRED')
  if (!found || type !== 'OPEN') throw new AppError('INVALID_SIGNATURE')
  return found
}

const types = { used: 'USED', withdrawn: 'WITHDRAWN' } as const

const typeOf = (app: App, { outcome, expiresAt }: FoundLink): OpenedAccess['type'] => {
  if (outcome !== null) return types[outcome]
  return expiresAt <= app.clock.now() ? 'EXPIRED' : 'OPEN'
}
