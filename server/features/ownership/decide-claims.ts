/** After a check of a name: decides the open claims that are due, and updates the others (decision 015). */

import type { ClaimOutcome } from '#contract/dns/claims.ts'
import type { App } from '#server/app.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { type DomainRow, updateDomain } from '#server/features/domains/domain-queries.ts'
import { scheduleChecksAt, updateRecord } from '#server/features/domains/record-queries.ts'
import { tryThrottle } from '#server/features/limits/throttle.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { afterRecordGone, afterReminder, isReminderDue, lookAt } from './claim-times.ts'
import { giveUpDomain } from './give-up-domain.ts'
import {
  domainKeptMail,
  endedMail,
  lostMail,
  mailAdmins,
  recordGoneMail,
  reminderMail,
  wonMail,
} from './ownership-mails.ts'
import type { OwnershipLook, OwnershipState } from './ownership-state.ts'
import { type ClaimRow, updateClaim } from './ownership-store.ts'

const ONE_A_DAY = { limit: 1, windowSeconds: DAY_SECONDS }

type Open = { claim: ClaimRow; domain: DomainRow }

/** The caller has locked the namesakes. Decides the oldest claim first. Returns the holder of the name afterwards. */
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
    // The former holder gave up the domain, and a check made this workspace the holder.
    await end(app, tx, open, 'won')
    await recordBySystem(tx, app.clock.now(), 'claimWon', domainNamed(domain))
    await mailAdmins(app, tx, domain.workspaceId, wonMail(about(app, domain)))
  } else if (holder === undefined) {
    if (own === 'nowhere') await endUnchanged(app, tx, open, undefined, 'lapsed')
  } else if (claim.holderDomainId !== holder.id)
    await endUnchanged(app, tx, open, undefined, 'overtaken')
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
  const claim = await updatedClaim(app, tx, open.claim, holder, isHolderProven)
  if (now < claim.decidesAt || own === 'somewhere') return null
  if (own === 'nowhere') await endUnchanged(app, tx, open, holder, 'lapsed')
  else if (isHolderProven) await endUnchanged(app, tx, open, holder, 'both-proven')
  else {
    await handOver(app, tx, holder, open.domain)
    await end(app, tx, open, 'won')
    return 'handed-over'
  }
  return null
}

/** Deletes the holder's domain and verifies the claimant's, which has its own keys and no mail. Both are locked. */
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
  await scheduleChecksAt(tx, [claimant.id], now)
  const lost = { ...domainNamed(holder), details: { mailboxes: String(mailboxes) } }
  await recordBySystem(tx, now, 'domainLost', lost)
  await recordBySystem(tx, now, 'claimWon', domainNamed(claimant))
  await mailAdmins(app, tx, holder.workspaceId, lostMail({ domain: holder, publicUrl }, mailboxes))
  await mailAdmins(app, tx, claimant.workspaceId, wonMail({ domain: claimant, publicUrl }))
  await announceChange(tx, { topic: 'domains', workspaceId: claimant.workspaceId })
}

/** Updates the claim after a check of the holder's proof, and mails the holder before the domain can change hands. */
const updatedClaim = async (
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
    // At most one mail a day, since a record may come and go every minute. The decision only ever moves to a later date.
    if ((await tryThrottle({ ...app, db: tx }, key, ONE_A_DAY)) === 0) {
      const mail = recordGoneMail(about(app, holder), claim.decidesAt)
      await mailAdmins(app, tx, holder.workspaceId, mail)
    }
  } else if (isReminderDue(claim, now)) {
    claim.decidesAt = afterReminder(claim, now)
    claim.remindedAt = now
    const mail = reminderMail(about(app, holder), claim.decidesAt)
    await mailAdmins(app, tx, holder.workspaceId, mail)
  }
  const { decidesAt, remindedAt } = claim
  const nextLookAt = lookAt(claim, now)
  await updateClaim(tx, claim.id, { isHolderProven, decidesAt, remindedAt, nextLookAt })
  if (before.isHolderProven !== isHolderProven)
    for (const workspaceId of [claim.workspaceId, holder.workspaceId])
      await announceChange(tx, { topic: 'domains', workspaceId })
  return claim
}

/** Ends the claim without a change of hands; the holder is mailed that they keep the domain. */
const endUnchanged = async (
  app: App,
  tx: Db,
  open: Open,
  holder: DomainRow | undefined,
  outcome: ClaimOutcome,
): Promise<void> => {
  const { domain } = open
  await end(app, tx, open, outcome)
  const ended = { ...domainNamed(domain), details: { outcome } }
  await recordBySystem(tx, app.clock.now(), 'claimEnded', ended)
  await mailAdmins(app, tx, domain.workspaceId, endedMail(about(app, domain), outcome))
  if (holder) await notifyHolderKept(app, tx, holder, outcome)
}

export const notifyHolderKept = async (
  app: App,
  tx: Db,
  holder: DomainRow,
  outcome: ClaimOutcome,
): Promise<void> => {
  const { workspaceId } = holder
  const kept = { ...domainNamed(holder), details: { outcome } }
  await recordBySystem(tx, app.clock.now(), 'domainKept', kept)
  await mailAdmins(app, tx, workspaceId, domainKeptMail(about(app, holder), outcome))
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

/** For the audit log. */
export const domainNamed = ({ workspaceId, name }: DomainRow) => ({
  workspaceId,
  object: toUnicodeDomain(name),
})

const about = (app: App, domain: DomainRow) => ({ domain, publicUrl: app.config.publicUrl })
