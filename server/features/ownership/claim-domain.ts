import type { DomainOwnership } from '#contract/dns/claims.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type DomainRow, readDomain } from '#server/features/domains/domains-store.ts'
import { isId, newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { decisionAt, isQuiet, lookAt } from './claim-times.ts'
import { tellHolderKept } from './decide-claims.ts'
import { askedMail, claimedMail, tellAdmins } from './ownership-mails.ts'
import type { Asker, OwnershipLook, OwnershipState } from './ownership-state.ts'
import { insertClaim, lockNamesakes, readClaimsOf, updateClaim } from './ownership-store.ts'
import { getOwnership } from './read-ownership.ts'

/** Its proof is there, another workspace holds the name, and no claim is open that says so. */
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

/** Both sides are told at once. */
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
  await tellAdmins(app, tx, holder.workspaceId, claimedMail({ domain: holder, publicUrl }, times))
  await tellAdmins(app, tx, domain.workspaceId, askedMail({ domain, publicUrl }, times))
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

/** The namesakes are locked; the holder is told. false: there is no open claim. */
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
  if (holder) await tellHolderKept(app, tx, holder, 'withdrawn')
  return true
}
