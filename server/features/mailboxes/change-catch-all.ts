/** The mailbox of the workspace that gets what is for no mailbox, alias or role of a domain. */
import type { Domain } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedInto } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { isId } from '#server/lib/ids.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { deleteCatchAll, holdDomain, holdMailbox, putCatchAll } from './addresses-store.ts'

/** Any mailbox of the workspace, whatever its domain. */
export const setCatchAll = async (
  app: App,
  who: Who,
  domainId: string,
  mailboxId: string,
): Promise<Domain> => {
  if (!isId(domainId) || !isId(mailboxId)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  await app.db.transaction().execute(async (tx) => {
    const domain = await holdDomain(tx, workspaceId, domainId)
    if (!domain || !(await holdMailbox(tx, workspaceId, mailboxId)))
      throw new AppError('NOT_EXISTS')
    if (!domain.isVerified) throw new AppError('DOMAIN_NOT_VERIFIED')
    await putCatchAll(tx, { domainId, workspaceId, mailboxId })
    await endLinksMailedInto(app, tx, domain.name)
    await announceChange(tx, { topic: 'domains', workspaceId })
  })
  return getDomain(app, who, domainId)
}

/** Also when there is none: it is as asked for afterwards. */
export const removeCatchAll = async (app: App, who: Who, domainId: string): Promise<void> => {
  if (!isId(domainId)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  await app.db.transaction().execute(async (tx) => {
    if (!(await holdDomain(tx, workspaceId, domainId))) throw new AppError('NOT_EXISTS')
    await deleteCatchAll(tx, workspaceId, domainId)
    await announceChange(tx, { topic: 'domains', workspaceId })
  })
}
