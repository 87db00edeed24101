/** Links for the administrator of DNS: made, listed and revoked by members who may manage domains (decisions 019, 067). */
import { type DnsLink, MAX_OPEN_LINKS } from '#contract/dns/links.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockDomainsById, readDomain } from '#server/features/domains/domain-queries.ts'
import { requirePublicNames } from '#server/features/domains/trial.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  countOpenLinks,
  deleteExpiredLinks,
  deleteOpenLink,
  findOpenLink,
  findOpenLinks,
  findOpenLinksToMany,
  insertLink,
  type OpenLink,
} from './link-queries.ts'

const MAKING = { limit: 100, windowSeconds: HOUR_SECONDS }

/** Newest first. */
export const listLinks = async (app: App, who: Who, domainId: string): Promise<DnsLink[]> => {
  const { workspaceId } = who
  const domain = isId(domainId) ? await readDomain(app.db, workspaceId, domainId) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  const links = await findOpenLinks(app.db, { workspaceId, now: app.clock.now() }, domain.id)
  return links.map((link) => toLink(app, link))
}

/** The links to several domains, newest first. */
export const listLinksToMany = async (app: App, { workspaceId }: Who): Promise<DnsLink[]> => {
  const links = await findOpenLinksToMany(app.db, { workspaceId, now: app.clock.now() })
  return links.map((link) => toLink(app, link))
}

export const toLink = (app: App, row: OpenLink): DnsLink => ({
  _id: row.id,
  url: urlOf(app, row),
  domains: row.domains.map(({ name }) => toUnicodeDomain(name)),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  createdBy: row.firstName === null ? null : `${row.firstName} ${row.lastName}`,
  openedAt: row.openedAt?.toISOString() ?? null,
  sentTo: row.sentTo,
})

/**
 * The token of a link is derived from its id and SECRET, so that members who may manage domains can copy the link again while
 * the database keeps its hash alone.
 * 256 bits, base64url.
 */
export const tokenOf = (app: App, id: string): string =>
  app.secrets.mac('dns-link', id).toString('base64url')

/** The token is in the fragment, which browsers never send. The page of several domains opens one too. */
export const urlOf = (app: App, { id, domains }: Pick<OpenLink, 'id' | 'domains'>): string =>
  `${app.config.publicUrl}/dns${domains.length > 1 ? '/domains' : ''}#${tokenOf(app, id)}`

/**
 * One link to all of these domains, which must all be the workspace's.
 * @throws NOT_EXISTS, TRIAL, DNS_LINK_LIMIT, TOO_MANY_REQUESTS
 */
export const makeLink = async (
  app: App,
  who: Who,
  domainIds: readonly string[],
  { days }: { days: number },
): Promise<DnsLink> => {
  if (!domainIds.every(isId)) throw new AppError('NOT_EXISTS')
  const ids = [...new Set(domainIds.map((id) => id.toLowerCase()))]
  const { workspaceId, userId } = who
  await spendThrottle(app, `make-dns-link:${workspaceId}`, MAKING)
  return inTransaction(app, async (tx) => {
    await holdRight(tx, who, 'manage-domains')
    // With the locks, two concurrent callers cannot both make the last allowed link.
    const domains = await lockDomainsById(tx, workspaceId, ids)
    if (domains.length < ids.length) throw new AppError('NOT_EXISTS')
    requirePublicNames(app)
    const now = app.clock.now()
    if ((await countOpenLinks(tx, { workspaceId, now }, ids)) >= MAX_OPEN_LINKS)
      throw ids.length === 1 ? new AppError('DNS_LINK_LIMIT') : oneIsFull()
    const id = newId()
    const link = {
      ...{ id, workspaceId, tokenHash: hashToken(tokenOf(app, id)), openedAt: null, sentTo: null },
      ...{ createdBy: userId, createdAt: now, expiresAt: secondsAfter(now, days * DAY_SECONDS) },
    }
    await insertLink(tx, link, ids)
    await announceChange(tx, { topic: 'domains', workspaceId })
    const made = await findOpenLink(tx, { workspaceId, now }, id)
    if (!made) throw new AppError('NOT_EXISTS')
    logRight(app, tx, who, { what: 'dns-link', objectId: id, change: 'link-made', whose: '' })
    return toLink(app, made)
  })
}

const oneIsFull = () =>
  new AppError('DNS_LINK_LIMIT', {
    message: `One of these domains has ${MAX_OPEN_LINKS} open links. Revoke one of them first`,
  })

/** @throws NOT_EXISTS */
export const revokeLink = async (app: App, who: Who, id: string): Promise<void> => {
  const { workspaceId } = who
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  await inTransaction(app, async (tx) => {
    if (!(await deleteOpenLink(tx, { workspaceId, now: app.clock.now() }, id)))
      throw new AppError('NOT_EXISTS')
    await announceChange(tx, { topic: 'domains', workspaceId })
    logRight(app, tx, who, { what: 'dns-link', objectId: id, change: 'revoked', whose: '' })
  })
}

/** For a daily job. An expired link gets the same answer as an unknown one, so its row is not needed. */
export const purgeLinks = (app: App): Promise<void> => deleteExpiredLinks(app.db, app.clock.now())
