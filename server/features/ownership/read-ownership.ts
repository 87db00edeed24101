import type { DomainOwnership, OwnClaim, ReleasedDomain } from '#contract/dns/claims.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { ownershipValue } from '#server/dns/compare-ownership.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import {
  type OwnershipRow,
  readClaimsOn,
  readOwnClaims,
  readOwnership,
  readQuestioned,
  readReleased,
} from './ownership-reading-store.ts'
import { readClaimsOf } from './ownership-store.ts'

const SHOWN_SECONDS = 30 * DAY_SECONDS

/** @throws NOT_EXISTS */
export const getOwnership = async (app: App, who: Who, id: string): Promise<DomainOwnership> => {
  const row = isId(id) ? await readOwnership(app.db, who.workspaceId, id) : undefined
  const [ownership] = row ? await withClaims(app, who, [row]) : []
  if (!ownership) throw new AppError('NOT_EXISTS')
  return ownership
}

export const listOwnership = async (
  app: App,
  who: Who,
): Promise<{ domains: DomainOwnership[]; released: ReleasedDomain[] }> => {
  const since = secondsAfter(app.clock.now(), -SHOWN_SECONDS)
  const rows = await readQuestioned(app.db, who.workspaceId, since)
  const released = await readReleased(app.db, who.workspaceId, since)
  return {
    domains: await withClaims(app, who, rows),
    released: released.map(({ id, name, reason, mailboxCount, releasedAt }) => ({
      _id: id,
      name,
      unicodeName: toUnicodeDomain(name),
      reason,
      mailboxes: mailboxCount,
      releasedAt: releasedAt.toISOString(),
    })),
  }
}

const withClaims = async (
  app: App,
  { workspaceId }: Who,
  rows: OwnershipRow[],
): Promise<DomainOwnership[]> => {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const own = await readOwnClaims(app.db, workspaceId, ids)
  const others = await readClaimsOn(app.db, workspaceId, ids)
  return rows.map((row) => {
    const ownClaim = row.isVerified ? undefined : own.find(({ domainId }) => domainId === row.id)
    return {
      domainId: row.id,
      name: row.name,
      unicodeName: toUnicodeDomain(row.name),
      mailboxes: row.mailboxes,
      record: { name: `_mailstead.${row.name}`, value: ownershipValue(row.ownershipToken) },
      missing: missingOf(row),
      claims: others.filter(({ holderDomainId }) => holderDomainId === row.id).map(toClaim),
      ownClaim: ownClaim ? toOwnClaim(ownClaim) : null,
    }
  })
}

const missingOf = ({ since, stopsAt, releasesAt, sendingStoppedAt }: OwnershipRow) =>
  since && stopsAt && releasesAt
    ? {
        since: since.toISOString(),
        isSendingStopped: sendingStoppedAt !== null,
        sendingStopsAt: stopsAt.toISOString(),
        releasesAt: releasesAt.toISOString(),
      }
    : null

type ClaimTimes = { id: string; startedAt: Date; decidesAt: Date; isHolderProven: boolean }

const toClaim = ({ id, startedAt, decidesAt, isHolderProven }: ClaimTimes) => ({
  _id: id,
  startedAt: startedAt.toISOString(),
  decidesAt: decidesAt.toISOString(),
  isHolderProven,
})

const toOwnClaim = (row: Awaited<ReturnType<typeof readOwnClaims>>[number]): OwnClaim => ({
  ...toClaim(row),
  outcome: row.outcome,
  endedAt: row.endedAt?.toISOString() ?? null,
  otherRecord:
    row.isHolderProven && row.otherToken !== null ? ownershipValue(row.otherToken) : null,
})

/** true: the domain claims a name that another workspace holds. */
export const hasOpenClaim = async (app: App, domainId: string): Promise<boolean> =>
  (await readClaimsOf(app.db, [domainId])).some(({ outcome }) => outcome === null)
