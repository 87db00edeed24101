/** The holder of a DNS link may see the records of its domain and start a check, without an account. */
import { LINK_CHECK_SECONDS, type OpenedDnsLink } from '#contract/dns/links.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { requirePublicNames } from '#server/features/domains/trial.ts'
import { spendNetwork, spendThrottle } from '#server/features/limits/throttle.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { checkDomain } from './check-domain.ts'
import { dnsSetting } from './dns-setting.ts'
import { domainZoneFile } from './domain-zone-file.ts'
import { findLinkByToken, type HeldLink, updateLink } from './link-queries.ts'
import { readWatched } from './watch-records.ts'

export type Holder = { token: string; ip: string }

/** Open pages ask every few seconds, and several may share one IP address. */
const PER_NETWORK = { limit: 300, windowSeconds: 60 }
const CHECKING = { limit: 60 / LINK_CHECK_SECONDS, windowSeconds: 60 }
const CHECKING_OF_WORKSPACE = { limit: 60, windowSeconds: 60 }
const OPENED_EVERY_SECONDS = 60

/** @throws NOT_EXISTS for a wrong, an expired and a revoked token alike; TOO_MANY_REQUESTS */
export const openLink = async (app: App, holder: Holder): Promise<OpenedDnsLink> =>
  shown(app, await heldLink(app, holder))

/**
 * Judges all records, even before ownership is proven: the holder of the link was asked to publish all of them.
 * @throws as openLink does
 */
export const checkByLink = async (app: App, holder: Holder): Promise<OpenedDnsLink> => {
  const { domainId, workspaceId } = await heldLink(app, holder)
  requirePublicNames(app)
  await spendThrottle(app, `check-dns-link:${domainId}`, CHECKING)
  await spendThrottle(app, `check-dns-links-of:${workspaceId}`, CHECKING_OF_WORKSPACE)
  await checkDomain(app, { id: domainId, workspaceId }, 'all')
  // Read again: the link may have been revoked during the check.
  return shown(app, await findLink(app, holder.token))
}

/** Returns the zone file and its name. @throws as openLink does */
export const zoneFileByLink = async (app: App, holder: Holder) => {
  const link = await heldLink(app, holder)
  return domainZoneFile(app, link, link.domainId)
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

const shown = async (app: App, link: HeldLink): Promise<OpenedDnsLink> => {
  const { workspaceName, domainName, expiresAt, domainId } = link
  const [all, setting] = await Promise.all([
    readWatched(app, link, domainId, () => everyRecord(app, link, domainId)),
    dnsSetting(app, link, domainId),
  ])
  const [ownership, ...records] = all
  return {
    workspaceName,
    domain: { name: domainName, unicodeName: toUnicodeDomain(domainName) },
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
