import { AppError } from '#contract/errors.ts'
import { type Alias, type addAlias as addAliasRoute, MAX_ALIASES } from '#contract/mail/aliases.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedTo } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId, newId } from '#server/lib/ids.ts'
import {
  type AliasRow,
  countAliases,
  deleteAlias,
  insertAlias,
  readAliases,
} from './addresses-store.ts'
import { lockMailbox, readMailbox } from './mailboxes-store.ts'
import { lockDomains } from './new-mailboxes-store.ts'
import { announceMailboxes, requireActive, storedAddress } from './place-mailboxes.ts'
import { requireFree } from './require-free.ts'

/** Oldest first. */
export const listAliases = async (app: App, who: Who, mailboxId: string): Promise<Alias[]> => {
  const { workspaceId } = who
  const mailbox = isId(mailboxId) ? await readMailbox(app.db, workspaceId, mailboxId) : undefined
  if (!mailbox) throw new AppError('NOT_EXISTS')
  return (await readAliases(app.db, workspaceId, mailboxId)).map(toAlias)
}

export const toAlias = ({
  id,
  email,
  createdAt,
}: Pick<AliasRow, 'id' | 'email' | 'createdAt'>): Alias => ({
  _id: id,
  email,
  createdAt: createdAt.toISOString(),
})

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

/** The mail that came by it stays. */
export const removeAlias = async (
  app: App,
  who: Who,
  mailboxId: string,
  id: string,
): Promise<void> => {
  if (!isId(mailboxId) || !isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  await app.db.transaction().execute(async (tx) => {
    if (!(await deleteAlias(tx, { workspaceId, mailboxId, id }))) throw new AppError('NOT_EXISTS')
    await announceMailboxes(tx, workspaceId)
  })
}
