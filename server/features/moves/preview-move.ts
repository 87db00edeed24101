import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { DomainMove } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { openBillsOf } from '#server/features/billing/move-bills.ts'
import { workspacesOf } from '#server/features/workspaces/workspaces-of.ts'
import { isId } from '#server/lib/ids.ts'
import { countTies } from './address-ties-store.ts'
import { countHolders, countMessages, findDomain, findMailboxes } from './moves-store.ts'

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
