/**
 * Acts on one definite answer for `_mailstead.{domain}`: the holder's proof may be missing or back, and claims of other
 * workspaces start or are decided. Never called for resolver errors.
 */
import type { App } from '#server/app.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import {
  type DomainRow,
  lockNamesakes,
  readNamesakes,
  setSendingStopped,
} from '#server/features/domains/domain-queries.ts'
import { scheduleChecksAt } from '#server/features/domains/record-queries.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { countMailboxesOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { startClaim, wouldClaim } from './claim-domain.ts'
import { decideClaims, domainNamed } from './decide-claims.ts'
import { giveUpDomain } from './give-up-domain.ts'
import { firstMissing, type MissingProof, nextStepAt, stillMissing } from './missing-proof.ts'
import {
  backMail,
  lastCallMail,
  mailAdmins,
  releasedMail,
  stoppedMail,
  warnedMail,
} from './ownership-mails.ts'
import {
  type Asker,
  type OwnershipLook,
  type OwnershipState,
  readState,
} from './ownership-state.ts'
import { readMissingProof, removeMissingProof, saveMissingProof } from './ownership-store.ts'

const CLAIMS_ON_A_NAME = { limit: 10, windowSeconds: DAY_SECONDS }

export const followOwnership = async (
  app: App,
  asker: Asker,
  look: OwnershipLook | null,
  at: Date,
): Promise<void> => {
  if (look === null) return
  const seen = await readState(app.db, await readNamesakes(app.db, asker.name))
  const isClaiming = wouldClaim(asker, seen, look, app.clock.now())
  if (!isClaiming && !(await isAnythingToDo(app.db, seen, look))) return
  // Throttled, because each start of a claim mails the holder.
  if (isClaiming) await spendThrottle(app, `claims-on:${asker.name}`, CLAIMS_ON_A_NAME)
  await app.db.transaction().execute(async (tx) => {
    const before = await readState(tx, await lockNamesakes(tx, asker.name))
    const holder = await decideClaims(app, tx, before, look)
    if (holder) await followProof(app, tx, holder, look, at)
    // Read again: a claim may have ended just now, and the domain may have a new holder.
    const after = await readState(tx, await readNamesakes(tx, asker.name))
    if (wouldClaim(asker, after, look, app.clock.now()))
      await startClaim(app, tx, asker, after, look)
  })
}

/** Updates the state of the holder's missing proof. The holder's domain is locked. */
export const followProof = async (
  app: App,
  tx: Db,
  holder: DomainRow,
  look: OwnershipLook,
  at: Date,
): Promise<void> => {
  const { id, workspaceId } = holder
  const before = await readMissingProof(tx, id)
  // A slow check must not overwrite the result of one that started later.
  if (before && before.lookedAt > at) return
  const about = { domain: holder, publicUrl: app.config.publicUrl }
  if (look(holder.ownershipToken) !== 'nowhere') {
    if (!before) return
    await removeMissingProof(tx, id)
    if (holder.sendingStoppedAt !== null) {
      await setSendingStopped(tx, id, null)
      await recordBySystem(tx, app.clock.now(), 'proofBack', domainNamed(holder))
    }
    if (before.step !== 'noticed') await mailAdmins(app, tx, workspaceId, backMail(about))
    await announceChange(tx, { topic: 'domains', workspaceId })
    return
  }
  const after = before ? stillMissing(before, at) : firstMissing(at)
  if (after === 'release') {
    const mailboxes = await giveUpDomain(app, tx, holder, 'proof-missing')
    const released = { ...domainNamed(holder), details: { mailboxes: String(mailboxes) } }
    await recordBySystem(tx, app.clock.now(), 'domainReleased', released)
    await mailAdmins(app, tx, workspaceId, releasedMail(about, mailboxes))
    return
  }
  await saveMissingProof(tx, { domainId: id, workspaceId, ...after })
  await scheduleChecksAt(tx, [id], nextStepAt(after))
  if (after.step !== before?.step) await enter(app, tx, holder, after)
}

const enter = async (app: App, tx: Db, holder: DomainRow, missing: MissingProof): Promise<void> => {
  const { id, workspaceId } = holder
  const about = { domain: holder, publicUrl: app.config.publicUrl }
  await announceChange(tx, { topic: 'domains', workspaceId })
  switch (missing.step) {
    case 'noticed':
      return
    case 'warned':
      return mailAdmins(app, tx, workspaceId, warnedMail(about, missing))
    case 'stopped':
      await setSendingStopped(tx, id, missing.stopsAt)
      await recordBySystem(tx, app.clock.now(), 'proofStopped', domainNamed(holder))
      return mailAdmins(app, tx, workspaceId, stoppedMail(about, missing))
    case 'last-call': {
      const mailboxes = await countMailboxesOf(tx, id)
      return mailAdmins(app, tx, workspaceId, lastCallMail(about, missing, mailboxes))
    }
  }
}

/** false for nearly every check: then no transaction is needed. */
const isAnythingToDo = async (
  db: Db,
  { holder, claims }: OwnershipState,
  look: OwnershipLook,
): Promise<boolean> => {
  if (claims.some(({ outcome }) => outcome === null)) return true
  if (holder === undefined) return false
  if (look(holder.ownershipToken) === 'nowhere') return true
  return (await readMissingProof(db, holder.id)) !== undefined
}
