import type { DomainOwnership } from '#contract/dns/claims.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import {
  type DomainRow,
  lockNamesakes,
  readDomain,
} from '#server/features/domains/domain-queries.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { isId, newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { decisionAt, isQuiet, lookAt } from './claim-times.ts'
import { domainNamed, notifyHolderKept } from './decide-claims.ts'
import { claimedMail, claimStartedMail, mailAdmins } from './ownership-mails.ts'
import type { Asker, OwnershipLook, OwnershipState } from './ownership-state.ts'
import { insertClaim, readClaimsOf, updateClaim } from './ownership-store.ts'
import { getOwnership } from './read-ownership.ts'

/** true: the asker's proof is in DNS, another workspace holds the name, and the asker has no open claim on it. */
export const wouldClaim = (
  asker: Asker,
  { holder, namesakes, claims }: OwnershipState,
  look: OwnershipLook,
  now: Date,
): boolean => {
  const domain = namesakes.find(({ id }) => id === asker.id)
  if (!domain || !holder || holder.id === domain.id) return false
  if (look(domain.ownershipToken) !== 'everywhere') return false
  const [latest] = claims.filter(({ domainId }) => domainId === domain.id)
  if (latest === undefined || latest.outcome === 'overtaken') return true
  if (latest.outcome === null || !asker.isAskedFor) return false
  const isKept = look(holder.ownershipToken) !== 'nowhere'
  return !(isKept && latest.outcome === 'both-proven' && isQuiet(latest.endedAt ?? now, now))
}

/** Mails both workspaces. */
export const startClaim = async (
  app: App,
  tx: Db,
  asker: Asker,
  { holder, namesakes }: OwnershipState,
  look: OwnershipLook,
): Promise<void> => {
  const domain = namesakes.find(({ id }) => id === asker.id)
  if (!domain || !holder) return
  const now = app.clock.now()
  const times = {
    isHolderProven: look(holder.ownershipToken) !== 'nowhere',
    decidesAt: decisionAt(now, holder.sendingStoppedAt !== null),
    remindedAt: null,
  }
  await insertClaim(tx, {
    id: newId(),
    domainId: domain.id,
    workspaceId: domain.workspaceId,
    holderDomainId: holder.id,
    startedAt: now,
    ...times,
    nextLookAt: lookAt(times, now),
    outcome: null,
    endedAt: null,
  })
  const { publicUrl } = app.config
  await mailAdmins(app, tx, holder.workspaceId, claimedMail({ domain: holder, publicUrl }, times))
  await mailAdmins(app, tx, domain.workspaceId, claimStartedMail({ domain, publicUrl }, times))
  await recordBySystem(tx, now, 'domainClaimed', domainNamed(holder))
  await noteEvent(tx, {
    ...{ topic: 'domain.claimed', workspaceId: holder.workspaceId, about: holder.id, at: now },
    data: {
      ...{ domainId: holder.id, name: holder.name },
      decidesAt: times.decidesAt.toISOString(),
    },
  })
  await recordBySystem(tx, now, 'claimStarted', domainNamed(domain))
  for (const { workspaceId } of [holder, domain])
    await announceChange(tx, { topic: 'domains', workspaceId })
}

/** @throws NOT_EXISTS, NO_OPEN_CLAIM */
export const withdrawClaim = async (app: App, who: Who, id: string): Promise<DomainOwnership> => {
  const domain = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute(async (tx) => {
    const namesakes = await lockNamesakes(tx, domain.name)
    if (!(await endOpenClaim(app, tx, domain, namesakes))) throw new AppError('NO_OPEN_CLAIM')
    await announceChange(tx, { topic: 'domains', workspaceId: who.workspaceId })
  })
  return getOwnership(app, who, id)
}

/** The caller has locked the namesakes. Mails the holder. Returns false when no claim is open. */
export const endOpenClaim = async (
  app: App,
  tx: Db,
  { id }: DomainRow,
  namesakes: DomainRow[],
): Promise<boolean> => {
  const open = (await readClaimsOf(tx, [id])).find(({ outcome }) => outcome === null)
  if (!open) return false
  await updateClaim(tx, open.id, { outcome: 'withdrawn', endedAt: app.clock.now() })
  const holder = namesakes.find((other) => other.id === open.holderDomainId)
  if (holder) await notifyHolderKept(app, tx, holder, 'withdrawn')
  return true
}
