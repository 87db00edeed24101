/** Links for the administrator of a domain's DNS: made, listed and revoked by members who may manage domains (decision 019). */
import { type DnsLink, MAX_OPEN_LINKS } from '#contract/dns/links.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockDomain, readDomain } from '#server/features/domains/domain-queries.ts'
import { requirePublicNames } from '#server/features/domains/trial.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  countOpenLinks,
  deleteExpiredLinks,
  deleteOpenLink,
  findOpenLink,
  findOpenLinks,
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

export const toLink = (app: App, row: OpenLink): DnsLink => ({
  _id: row.id,
  url: urlOf(app, row.id),
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

/** The token is in the fragment, which browsers never send. */
export const urlOf = (app: App, id: string): string =>
  `${app.config.publicUrl}/dns#${tokenOf(app, id)}`

/** @throws NOT_EXISTS, TRIAL, DNS_LINK_LIMIT, TOO_MANY_REQUESTS */
export const makeLink = async (
  app: App,
  who: Who,
  domainId: string,
  { days }: { days: number },
): Promise<DnsLink> => {
  if (!isId(domainId)) throw new AppError('NOT_EXISTS')
  const { workspaceId, userId } = who
  await spendThrottle(app, `make-dns-link:${workspaceId}`, MAKING)
  return inTransaction(app.db, async (tx) => {
    await holdRight(tx, who, 'manage-domains')
    // With the lock, two concurrent callers cannot both make the last allowed link.
    const domain = await lockDomain(tx, workspaceId, domainId)
    if (!domain) throw new AppError('NOT_EXISTS')
    requirePublicNames(app)
    const now = app.clock.now()
    if ((await countOpenLinks(tx, { workspaceId, now }, domain.id)) >= MAX_OPEN_LINKS)
      throw new AppError('DNS_LINK_LIMIT')
    const id = newId()
    await insertLink(tx, {
      ...{ id, workspaceId, domainId: domain.id, tokenHash: hashToken(tokenOf(app, id)) },
      ...{ createdBy: userId, createdAt: now, expiresAt: secondsAfter(now, days * DAY_SECONDS) },
      ...{ openedAt: null, sentTo: null },
    })
    await announceChange(tx, { topic: 'domains', workspaceId })
    const made = await findOpenLink(tx, { workspaceId, now }, id)
    if (!made) throw new AppError('NOT_EXISTS')
    logRight(app, tx, who, { what: 'dns-link', objectId: id, change: 'link-made', whose: '' })
    return toLink(app, made)
  })
}

/** @throws NOT_EXISTS */
export const revokeLink = async (app: App, who: Who, id: string): Promise<void> => {
  const { workspaceId } = who
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  await inTransaction(app.db, async (tx) => {
    if (!(await deleteOpenLink(tx, { workspaceId, now: app.clock.now() }, id)))
      throw new AppError('NOT_EXISTS')
    await announceChange(tx, { topic: 'domains', workspaceId })
    logRight(app, tx, who, { what: 'dns-link', objectId: id, change: 'revoked', whose: '' })
  })
}

/** For a daily job. An expired link gets the same answer as an unknown one, so its row is not needed. */
export const purgeLinks = (app: App): Promise<void> => deleteExpiredLinks(app.db, app.clock.now())
