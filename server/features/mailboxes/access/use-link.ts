/** What the owner of an access link can do: see the mailbox's address, and set its holder's password once. */
import { AppError } from '#contract/errors.ts'
import type { OpenedAccess } from '#contract/mail/access.ts'
import type { App } from '#server/app.ts'
import { endMailedLinks, openHolder, signHolderIn } from '#server/features/accounts/holders.ts'
import { requireOpen, stateOfLink } from '#server/features/accounts/mail-link.ts'
import { hashPassword, refuseCommonPassword } from '#server/features/accounts/passwords.ts'
import {
  type Client,
  logSignedIn,
  requireStarted,
  type StartedSession,
} from '#server/features/accounts/start-session.ts'
import { linkActor } from '#server/features/accounts/who.ts'
import { recordChange } from '#server/features/audit/record-change.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceMailbox, announceSignIns } from '#server/storage/notifications.ts'
import { lockMailbox } from '../mailbox-queries.ts'
import { endLinks } from '../mailboxes-store.ts'
import { findLink } from './access-links-store.ts'
import { logAccess } from './access-log.ts'
import { mailLinkUsed } from './access-mails.ts'
import { deleteMakers, upsertReader } from './access-store.ts'

/** Changes nothing, since mail scanners open links too. @throws INVALID_SIGNATURE when no such link is stored. */
export const openAccess = async (app: App, token: string): Promise<OpenedAccess> => {
  const found = await findLink(app.db, hashToken(token))
  if (!found) throw new AppError('INVALID_SIGNATURE')
  const type = types[stateOfLink(app, found)]
  if (type !== 'OPEN') return { type }
  const { email, workspaceName, holderId } = found
  return { type, email, workspaceName, isReset: holderId !== null }
}

/**
 * Creates the holder of the mailbox and signs them in. Its maker may then read it only if that right was given or taken explicitly, which the
 * holder sees. The password is set also where a second factor of theirs is asked for first.
 * @throws INVALID_SIGNATURE, also when the link was used; LINK_EXPIRED, ACCOUNT_HAS_ADDRESS, VALIDATION, SECOND_FACTOR_REQUIRED
 */
export const acceptAccess = async (
  app: App,
  { session: token, password }: { session: string; password: string },
  client: Client,
): Promise<{ email: string; started: StartedSession | null }> => {
  const { ip } = client
  const tokenHash = hashToken(token)
  const { workspaceId, mailboxId } = requireOpen(app, await findLink(app.db, tokenHash))
  refuseCommonPassword(password)
  const passwordHash = await hashPassword(password, ip)
  const { email, entered } = await inTransaction(app, async (tx) => {
    const mailbox = await lockMailbox(tx, workspaceId, mailboxId)
    // Read again after locking: the link may have been used or withdrawn in the meantime.
    const { madeBy, mailedTo } = requireOpen(app, await findLink(tx, tokenHash))
    if (!mailbox) throw new AppError('INVALID_SIGNATURE')
    const createdAt = app.clock.now()
    const owner = { passwordHash, ip, mailedTo }
    const { userId, isNew } = await openHolder(app, tx, mailbox, owner)
    await endLinks(tx, workspaceId, mailboxId, { outcome: 'used', endedAt: createdAt })
    if (isNew) {
      await deleteMakers(tx, workspaceId, mailboxId)
      const right = { origin: 'holder' as const, createdAt, endsAt: null, canSend: true }
      await upsertReader(tx, { workspaceId, mailboxId, userId, ...right })
      await endMailedLinks(app, tx, mailbox)
      // Its maker's mail programs are signed out.
      await announceSignIns(tx, [mailboxId])
    }
    const kind = isNew ? 'accepted' : 'reset'
    await logAccess(app, tx, mailbox, { kind, actor: `The holder of ${mailbox.email}` })
    const holder = { ...mailbox, id: userId }
    await recordChange(tx, createdAt, linkActor(holder, ip), {
      ...{ workspaceId, topic: 'access', action: 'acceptAccess', object: mailbox.email },
      what: isNew ? 'Set the first password of a holder' : 'Set a new password of a holder',
    })
    await mailLinkUsed(app, tx, mailbox, { madeBy, isNew })
    await announceMailbox(tx, { workspaceId, mailboxId })
    return { email: mailbox.email, entered: await signHolderIn(app, tx, mailbox, client) }
  })
  const started = entered && requireStarted(entered)
  if (started) logSignedIn(app, started, client, 'password')
  return { email, started }
}

const types = { used: 'USED', withdrawn: 'WITHDRAWN', EXPIRED: 'EXPIRED', OPEN: 'OPEN' } as const
