/** What ends when something is deleted now. Changes nothing. */
import { type Deletion, MAILBOX_WAIT_DAYS, WAIT_DAYS } from '#contract/deletions.ts'
import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { countDomains } from '#server/features/domains/deleted-queries.ts'
import { readDomain } from '#server/features/domains/domain-queries.ts'
import { readUse, type Use } from '#server/features/mailboxes/deleted-queries.ts'
import { readMailbox } from '#server/features/mailboxes/mailbox-queries.ts'
import { ownWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'

export const endOf = (now: Date): Date => secondsAfter(now, WAIT_DAYS * DAY_SECONDS)
export const endOfMailbox = (now: Date): Date => secondsAfter(now, MAILBOX_WAIT_DAYS * DAY_SECONDS)

/** Nobody used it, so nothing is lost: mail never arrived, nobody signs in, and nobody was given it. */
export const isUnused = ({ hadMail, people }: Use): boolean => !hadMail && people === 0

/** Editors may not delete the mail of others. */
export const mayDeleteMailbox = ({ role }: Pick<Who, 'role'>, { people }: Use): boolean =>
  people === 0 || memberCan(role, 'delete-used-mailboxes')

/** @throws NOT_EXISTS */
export const previewDomain = async (app: App, who: Who, id: string): Promise<Deletion> => {
  const { workspaceId } = who
  const domain = isId(id) ? await readDomain(app.db, workspaceId, id) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  const now = app.clock.now()
  const use = await readUse(app.db, { workspaceId, domainId: domain.id }, now)
  const name = toUnicodeDomain(domain.name)
  const mayDelete = memberCan(who.role, 'delete-domains')
  return {
    ...toDeletion(use),
    name,
    domains: 0,
    mayDelete,
    endsAt: endText(domain.isVerified, now),
  }
}

/** @throws NOT_EXISTS */
export const previewMailbox = async (app: App, who: Who, id: string): Promise<Deletion> => {
  const { workspaceId } = who
  const mailbox = isId(id) ? await readMailbox(app.db, workspaceId, id) : undefined
  if (!mailbox) throw new AppError('NOT_EXISTS')
  const now = app.clock.now()
  const use = await readUse(app.db, { workspaceId, mailboxId: mailbox.id }, now)
  const own = { name: mailbox.email, domains: 0, mayDelete: mayDeleteMailbox(who, use) }
  return {
    ...toDeletion(use),
    ...own,
    endsAt: isUnused(use) ? null : endOfMailbox(now).toISOString(),
  }
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const previewWorkspace = async (app: App, who: Who, id: string): Promise<Deletion> => {
  const workspace = await ownWorkspace(app.db, who.userId, id, 'delete-workspace')
  const now = app.clock.now()
  const use = await readUse(app.db, { workspaceId: workspace.id }, now)
  const domains = await countDomains(app.db, workspace.id)
  const own = { name: workspace.name, domains, mayDelete: true }
  return { ...toDeletion(use), ...own, endsAt: endText(true, now) }
}

const toDeletion = ({ hadMail: _, ...use }: Use) => use

const endText = (isWaiting: boolean, now: Date): string | null =>
  isWaiting ? endOf(now).toISOString() : null
