import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { decisionAt, isQuiet, lookAt } from './claim-times.ts'
import { askedMail, claimedMail } from './mails/claim-mails.ts'
import { tellAdmins } from './mails/tell-admins.ts'
import type { OwnershipLook } from './ownership-look.ts'
import type { Asker, OwnershipState } from './ownership-state.ts'
import { insertClaim } from './ownership-store.ts'

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
