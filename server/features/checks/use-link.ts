/** The holder of a DNS link may see the records of its domains and start a check, without an account. */
import { LINK_CHECK_SECONDS, type OpenedDnsLink, type OpenedDnsLinks } from '#contract/dns/links.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { DomainHealth } from '#contract/many-domains.ts'
import type { App } from '#server/app.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { makeChecksDueAt } from '#server/features/domains/due-queries.ts'
import { listDomainHealth } from '#server/features/domains/list-health.ts'
import { requirePublicNames } from '#server/features/domains/trial.ts'
import { spendNetwork, spendThrottle } from '#server/features/limits/throttle.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { checkDomain } from './check-domain.ts'
import { dnsSetting } from './dns-setting.ts'
import { domainZoneFile } from './domain-zone-file.ts'
import { exportRecords } from './export-records.ts'
import { findLinkByToken, type HeldLink, type LinkedDomain, updateLink } from './link-queries.ts'
import { readWatched } from './watch-records.ts'

export type Holder = { token: string; ip: string }
type ToOne = { domain?: string | undefined }

/** Open pages ask every few seconds, and several may share one IP address. */
const PER_NETWORK = { limit: 300, windowSeconds: 60 }
const CHECKING = { limit: 60 / LINK_CHECK_SECONDS, windowSeconds: 60 }
const CHECKING_OF_WORKSPACE = { limit: 60, windowSeconds: 60 }
const OPENED_EVERY_SECONDS = 60

/** @throws NOT_EXISTS for a wrong, an expired and a revoked token alike, and for another domain; TOO_MANY_REQUESTS */
export const openLink = async (app: App, holder: Holder & ToOne): Promise<OpenedDnsLink> =>
  shown(app, holder, await heldLink(app, holder))

/** All domains of a link. While the page is open, those that are not right are checked in turns. @throws as openLink does */
export const openLinkToMany = async (app: App, holder: Holder): Promise<OpenedDnsLinks> => {
  const link = await heldLink(app, holder)
  const { workspaceId, workspaceName, expiresAt } = link
  const ids = link.domains.map(({ id }) => id)
  const health = await listDomainHealth(app, link, ids)
  const byId = new Map(health.map((each) => [each._id, each]))
  await checkInTurn(app, workspaceId, health)
  return {
    ...{ workspaceName, expiresAt: expiresAt.toISOString() },
    domains: link.domains.flatMap(({ id, name }) => {
      const found = byId.get(id)
      if (!found) return []
      const { records, provider, checkedAt } = found
      return { name, unicodeName: toUnicodeDomain(name), records, provider, checkedAt }
    }),
  }
}

/** Each domain at most once in this time, whoever has a link to it open, and this many at each reading of the page. */
const TURN_SECONDS = 60
const IN_A_TURN = 5

type Looked = Pick<DomainHealth, '_id' | 'records' | 'checkedAt'>

const checkInTurn = async (app: App, workspaceId: string, all: readonly Looked[]) => {
  const now = app.clock.now()
  const before = secondsAfter(now, -TURN_SECONDS).toISOString()
  const due = all
    .filter(({ records }) => records.some(({ required, isToDo }) => required && isToDo))
    .filter(({ checkedAt }) => checkedAt === null || checkedAt <= before)
    .toSorted((a, b) => (a.checkedAt ?? '').localeCompare(b.checkedAt ?? ''))
  for (const { _id } of due.slice(0, IN_A_TURN))
    await makeChecksDueAt(app.db, { id: _id, workspaceId }, now)
}

/**
 * Judges all records, even before ownership is proven: the holder of the link was asked to publish all of them.
 * @throws as openLink does
 */
export const checkByLink = async (app: App, holder: Holder & ToOne): Promise<OpenedDnsLink> => {
  const link = await heldLink(app, holder)
  requirePublicNames(app)
  const { workspaceId } = link
  const { id } = domainOf(link, holder)
  await spendThrottle(app, `check-dns-link:${id}`, CHECKING)
  await spendThrottle(app, `check-dns-links-of:${workspaceId}`, CHECKING_OF_WORKSPACE)
  await checkDomain(app, { id, workspaceId }, 'all')
  // Read again: the link may have been revoked during the check.
  return shown(app, holder, await findLink(app, holder.token))
}

/** Returns the zone file and its name: of one domain, or of all when none is named. @throws as openLink does */
export const zoneFileByLink = async (app: App, holder: Holder & ToOne) => {
  const link = await heldLink(app, holder)
  const ids = link.domains.map(({ id }) => id)
  if (holder.domain === undefined && ids.length > 1) {
    await spendThrottle(app, `export-dns-link:${link.id}`, CHECKING)
    return exportRecords(app, link, { ids, format: 'zone' })
  }
  return domainZoneFile(app, link, domainOf(link, holder).id)
}

/** A link to one domain need not name it. */
const domainOf = ({ domains }: HeldLink, { domain }: ToOne): LinkedDomain => {
  const found =
    domain === undefined && domains.length === 1
      ? domains[0]
      : domains.find(({ name }) => name === domain)
  if (!found) throw new AppError('NOT_EXISTS')
  return found
}

const heldLink = async (app: App, { token, ip }: Holder): Promise<HeldLink> => {
  await spendNetwork(app, 'use-dns-link', ip, PER_NETWORK)
  const link = await findLink(app, token)
  await noteOpened(app, link)
  return link
}

const findLink = async (app: App, token: string): Promise<HeldLink> => {
  const link = await findLinkByToken(app.db, hashToken(token), app.clock.now())
  if (!link) throw new AppError('NOT_EXISTS')
  return link
}

/** Announces only the first opening to members' pages; later ones show when the list is reloaded. */
const noteOpened = async (app: App, link: HeldLink): Promise<void> => {
  const now = app.clock.now()
  const { openedAt, workspaceId } = link
  if (openedAt !== null && secondsAfter(openedAt, OPENED_EVERY_SECONDS) > now) return
  await updateLink(app.db, link, { openedAt: now })
  if (openedAt === null) await announceChange(app.db, { topic: 'domains', workspaceId })
}

const shown = async (app: App, asked: ToOne, link: HeldLink): Promise<OpenedDnsLink> => {
  const { workspaceName, expiresAt } = link
  const { id, name } = domainOf(link, asked)
  const [all, setting] = await Promise.all([
    readWatched(app, link, id, () => everyRecord(app, link, id)),
    dnsSetting(app, link, id),
  ])
  const [ownership, ...records] = all
  return {
    workspaceName,
    domain: { name, unicodeName: toUnicodeDomain(name) },
    expiresAt: expiresAt.toISOString(),
    ...{ ownership, records },
    setting: { ...setting, receiving: { changes: [] } },
  }
}

const everyRecord = async (
  app: App,
  link: HeldLink,
  domainId: string,
): Promise<[DnsRecord, ...DnsRecord[]]> => {
  const [ownership, records] = await Promise.all([
    ownershipRecord(app, link, domainId),
    dnsRecords(app, link, domainId),
  ])
  return [ownership, ...records]
}
