import type { Domain } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import { type Alias, type addAlias as addAliasRoute, MAX_ALIASES } from '#contract/mail/aliases.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedInto, endLinksMailedTo } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { holdDomain } from '#server/features/domains/domain-queries.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  type AliasRow,
  countAliases,
  deleteAlias,
  deleteCatchAll,
  insertAlias,
  putCatchAll,
  readAliases,
} from './addresses-store.ts'
import { holdMailbox, lockMailbox, readMailbox } from './mailbox-queries.ts'
import { announceMailboxes, requireActive, storedAddress } from './place-mailboxes.ts'
import { requireFree } from './require-free.ts'
import { lockPlaces, requireReach } from './within-reach.ts'

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

/** The alias may be on any active domain of the workspace. */
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
    const [found] = await lockPlaces(tx, who, [domainName])
    const domain = requireActive(found, 'email')
    // Lock order everywhere: domain, then mailbox.
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

/** Mail that arrived by the alias stays. */
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

/**
 * Sets the mailbox that gets mail for unknown addresses of a domain. It may be any mailbox of the workspace, also of another
 * domain.
 */
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
    const isThere =
      (await holdMailbox(tx, workspaceId, mailboxId)) &&
      (await readMailbox(tx, workspaceId, mailboxId)) !== undefined
    if (!domain || !isThere) throw new AppError('NOT_EXISTS')
    await requireReach(tx, who, 'mailbox', mailboxId)
    if (!domain.isVerified) throw new AppError('DOMAIN_NOT_VERIFIED')
    await putCatchAll(tx, { domainId, workspaceId, mailboxId })
    await endLinksMailedInto(app, tx, domain.name)
    await announceChange(tx, { topic: 'domains', workspaceId })
  })
  return getDomain(app, who, domainId)
}

/** Succeeds also when the domain has no catch-all. */
export const removeCatchAll = async (app: App, who: Who, domainId: string): Promise<void> => {
  if (!isId(domainId)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  await app.db.transaction().execute(async (tx) => {
    if (!(await holdDomain(tx, workspaceId, domainId))) throw new AppError('NOT_EXISTS')
    await deleteCatchAll(tx, workspaceId, domainId)
    await announceChange(tx, { topic: 'domains', workspaceId })
  })
}
