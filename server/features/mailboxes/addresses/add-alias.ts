import { AppError } from '#contract/errors.ts'
import { type Alias, type addAlias as addAliasRoute, MAX_ALIASES } from '#contract/mail/aliases.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedTo } from '#server/features/auth/holders/end-holder.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { lockMailbox, readMailbox } from '../mailboxes-store.ts'
import { lockDomains } from '../new-mailboxes-store.ts'
import { announceMailboxes, requireActive, storedAddress } from '../place-mailboxes.ts'
import { countAliases, insertAlias } from './aliases-store.ts'
import { toAlias } from './list-aliases.ts'
import { requireFree } from './require-free.ts'

/** On any active domain of the workspace, also another one than the mailbox's. */
export const addAlias = async (
  app: App,
  who: Who,
  mailboxId: string,
  form: Input<typeof addAliasRoute>['body'],
): Promise<Alias> => {
  if (!isId(mailboxId)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  return app.db.transaction().execute(async (tx) => {
    if (!(await readMailbox(tx, workspaceId, mailboxId))) throw new AppError('NOT_EXISTS')
    const { email, domain: domainName } = storedAddress(form.email)
    const [found] = await lockDomains(tx, workspaceId, [domainName])
    const domain = requireActive(found, 'email')
    // The domain before the mailbox, as everybody locks them.
    if (!(await lockMailbox(tx, workspaceId, mailboxId))) throw new AppError('NOT_EXISTS')
    await requireFree(tx, workspaceId, email)
    if ((await countAliases(tx, workspaceId, mailboxId)) >= MAX_ALIASES)
      throw new AppError('ALIAS_LIMIT')
    const createdAt = app.clock.now()
    const id = newId(createdAt.getTime())
    const alias = { id, workspaceId, domainId: domain.id, mailboxId, email, createdAt }
    if (!(await insertAlias(tx, alias))) throw new AppError('ADDRESS_TAKEN')
    await endLinksMailedTo(app, tx, [email])
    await announceMailboxes(tx, workspaceId)
    return toAlias(alias)
  })
}
