/** Open claims on a name after a look: decided when their time has come, else brought up to date (decision 015). */
import type { ClaimOutcome } from '#contract/dns/claims.ts'
import type { App } from '#server/app.ts'
import { type DomainRow, updateDomain } from '#server/features/domains/domains-store.ts'
import { updateRecord } from '#server/features/domains/records-store.ts'
import { tryThrottle } from '#server/features/limits/throttle.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { afterRecordGone, afterReminder, isReminderDue, lookAt } from './claim-times.ts'
import { giveUpDomain } from './give-up-domain.ts'
import {
  endedMail,
  keptMail,
  lostMail,
  recordGoneMail,
  reminderMail,
  tellAdmins,
  wonMail,
} from './ownership-mails.ts'
import type { OwnershipLook, OwnershipState } from './ownership-state.ts'
import { type ClaimRow, lookAgainAt, updateClaim } from './ownership-store.ts'

const ONE_A_DAY = { limit: 1, windowSeconds: 24 * 3600 }

type Open = { claim: ClaimRow; domain: DomainRow }

/** The namesakes are locked. The claim that began first is decided first. Answers who holds the name then. */
export const decideClaims = async (
  app: App,
  tx: Db,
  { holder: heldBy, namesakes, claims }: OwnershipState,
  look: OwnershipLook,
): Promise<DomainRow | undefined> => {
  let holder = heldBy
  const open = claims
    .filter(({ outcome }) => outcome === null)
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  for (const claim of open) {
    const domain = namesakes.find(({ id }) => id === claim.domainId)
    if (!domain) continue
    const next = await decide(app, tx, { claim, domain }, holder, look)
    if (next === 'handed-over') holder = domain
  }
  return holder
}

const decide = async (
  app: App,
  tx: Db,
  open: Open,
  holder: DomainRow | undefined,
  look: OwnershipLook,
): Promise<'handed-over' | null> => {
  const { claim, domain } = open
  const own = look(domain.ownershipToken)
  if (holder?.id === domain.id) {
    // The former holder is gone, and a check made this workspace the holder.
    await end(app, tx, open, 'won')
    await tellAdmins(app, tx, domain.workspaceId, wonMail(about(app, domain)))
  } else if (holder === undefined) {
    if (own === 'nowhere') await endFor(app, tx, open, undefined, 'lapsed')
  } else if (claim.holderDomainId !== holder.id) await endFor(app, tx, open, undefined, 'overtaken')
  else return decideAgainst(app, tx, open, holder, look)
  return null
}

const decideAgainst = async (
  app: App,
  tx: Db,
  open: Open,
  holder: DomainRow,
  look: OwnershipLook,
): Promise<'handed-over' | null> => {
  const now = app.clock.now()
  const own = look(open.domain.ownershipToken)
  const isHolderProven = look(holder.ownershipToken) !== 'nowhere'
  const claim = await brought(app, tx, open.claim, holder, isHolderProven)
  if (now < claim.decidesAt || own === 'somewhere') return null
  if (own === 'nowhere') await endFor(app, tx, open, holder, 'lapsed')
  else if (isHolderProven) await endFor(app, tx, open, holder, 'both-proven')
  else {
    await handOver(app, tx, holder, open.domain)
    await end(app, tx, open, 'won')
    return 'handed-over'
  }
  return null
}

/** The claimant's own domain, with keys of its own and nothing in it, takes the place of the holder's. Both are locked. */
export const handOver = async (
  app: App,
  tx: Db,
  holder: DomainRow,
  claimant: DomainRow,
): Promise<void> => {
  const now = app.clock.now()
  const { publicUrl } = app.config
  const mailboxes = await giveUpDomain(app, tx, holder, 'claimed')
  await updateDomain(tx, claimant, { isVerified: true, verifiedAt: now })
  const proven = { state: 'verified', explanation: '', fix: '', changedAt: now } as const
  await updateRecord(tx, claimant, 'ownership', { ...proven, nextCheckAt: now })
  await lookAgainAt(tx, [claimant.id], now)
  await tellAdmins(app, tx, holder.workspaceId, lostMail({ domain: holder, publicUrl }, mailboxes))
  await tellAdmins(app, tx, claimant.workspaceId, wonMail({ domain: claimant, publicUrl }))
  await announceChange(tx, { topic: 'domains', workspaceId: claimant.workspaceId })
}

/** Up to date with what was seen of the holder, who is told before anything can be lost. */
const brought = async (
  app: App,
  tx: Db,
  before: ClaimRow,
  holder: DomainRow,
  isHolderProven: boolean,
): Promise<ClaimRow> => {
  const now = app.clock.now()
  const claim = { ...before, isHolderProven }
  if (before.isHolderProven && !isHolderProven) {
    claim.decidesAt = afterRecordGone(before, now)
    claim.remindedAt = null
    const key = `record-gone:${claim.id}`
    // Whoever runs the DNS can put it in and out by the minute. What was announced stays true: the date only moves on.
    if ((await tryThrottle({ ...app, db: tx }, key, ONE_A_DAY)) === 0) {
      const mail = recordGoneMail(about(app, holder), claim.decidesAt)
      await tellAdmins(app, tx, holder.workspaceId, mail)
    }
  } else if (isReminderDue(claim, now)) {
    claim.decidesAt = afterReminder(claim, now)
    claim.remindedAt = now
    const mail = reminderMail(about(app, holder), claim.decidesAt)
    await tellAdmins(app, tx, holder.workspaceId, mail)
  }
  const { decidesAt, remindedAt } = claim
  const nextLookAt = lookAt(claim, now)
  await updateClaim(tx, claim.id, { isHolderProven, decidesAt, remindedAt, nextLookAt })
  if (before.isHolderProven !== isHolderProven)
    for (const workspaceId of [claim.workspaceId, holder.workspaceId])
      await announceChange(tx, { topic: 'domains', workspaceId })
  return claim
}

/** Without a change of hands; who holds the domain is told that it stays. */
const endFor = async (
  app: App,
  tx: Db,
  open: Open,
  holder: DomainRow | undefined,
  outcome: ClaimOutcome,
): Promise<void> => {
  const { domain } = open
  await end(app, tx, open, outcome)
  await tellAdmins(app, tx, domain.workspaceId, endedMail(about(app, domain), outcome))
  if (holder) await tellHolderKept(app, tx, holder, outcome)
}

export const tellHolderKept = async (
  app: App,
  tx: Db,
  holder: DomainRow,
  outcome: ClaimOutcome,
): Promise<void> => {
  const { workspaceId } = holder
  await tellAdmins(app, tx, workspaceId, keptMail(about(app, holder), outcome))
  await announceChange(tx, { topic: 'domains', workspaceId })
}

const end = async (
  app: App,
  tx: Db,
  { claim, domain }: Open,
  outcome: ClaimOutcome,
): Promise<void> => {
  await updateClaim(tx, claim.id, { outcome, endedAt: app.clock.now() })
  await announceChange(tx, { topic: 'domains', workspaceId: domain.workspaceId })
}

const about = (app: App, domain: DomainRow) => ({ domain, publicUrl: app.config.publicUrl })
