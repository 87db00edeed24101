import { AppError } from '#contract/errors.ts'
import type { createMailbox as createMailboxRoute, Mailbox } from '#contract/mailboxes.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedTo } from '#server/features/auth/holders/end-holder.ts'
import type { Who } from '#server/features/auth/who.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { newId } from '#server/lib/ids.ts'
import { requireFree } from './addresses/require-free.ts'
import { insertMailboxes, lockDomains } from './new-mailboxes-store.ts'
import {
  announceMailboxes,
  firstStatus,
  outsideDomain,
  requireActive,
  requirePlaces,
  storedAddress,
  storedDomainName,
} from './place-mailboxes.ts'
import { toMailbox } from './read-mailboxes.ts'

/** A mailbox under an active domain of the workspace; its maker may read its mail. */
export const createMailbox = async (
  app: App,
  who: Who,
  form: Input<typeof createMailboxRoute>['body'],
): Promise<Mailbox> => {
  const { email: givenEmail, domain: givenDomain, ...fields } = form
  const { email, domain: domainOfEmail } = storedAddress(givenEmail)
  const domainName = storedDomainName(givenDomain, 'domain')
  if (domainOfEmail !== domainName) throw outsideDomain()
  const { workspaceId } = who
  return app.db.transaction().execute(async (tx) => {
    await holdRight(tx, who, 'manage-mailboxes')
    const [found] = await lockDomains(tx, workspaceId, [domainName])
    const domain = requireActive(found, 'domain')
    await requireFree(tx, workspaceId, email)
    await requirePlaces(app, tx, workspaceId, [domain], 1)
    const createdAt = app.clock.now()
    const [row] = await insertMailboxes(tx, who.userId, [
      {
        ...fields,
        id: newId(createdAt.getTime()),
        workspaceId,
        domainId: domain.id,
        email,
        status: firstStatus(app),
        createdAt,
      },
    ])
    if (!row) throw new AppError('MAILBOX_EXISTS')
    await endLinksMailedTo(app, tx, [email])
    await announceMailboxes(tx, workspaceId)
    return toMailbox(row)
  })
}
