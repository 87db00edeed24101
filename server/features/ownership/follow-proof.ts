import type { App } from '#server/app.ts'
import type { DomainRow } from '#server/features/domains/domains-store.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { giveUpDomain } from './give-up-domain.ts'
import { firstMissing, type MissingProof, nextStepAt, stillMissing } from './missing-proof.ts'
import {
  backMail,
  lastCallMail,
  releasedMail,
  stoppedMail,
  tellAdmins,
  warnedMail,
} from './ownership-mails.ts'
import type { OwnershipLook } from './ownership-state.ts'
import {
  countMailboxes,
  lookAgainAt,
  readMissingProof,
  removeMissingProof,
  saveMissingProof,
  setSendingStopped,
} from './ownership-store.ts'

/** Of the holder, locked. */
export const followProof = async (
  app: App,
  tx: Db,
  holder: DomainRow,
  look: OwnershipLook,
  at: Date,
): Promise<void> => {
  const { id, workspaceId } = holder
  const before = await readMissingProof(tx, id)
  // A slower look that was asked earlier must not undo a later one.
  if (before && before.lookedAt > at) return
  const about = { domain: holder, publicUrl: app.config.publicUrl }
  if (look(holder.ownershipToken) !== 'nowhere') {
    if (!before) return
    await removeMissingProof(tx, id)
    if (holder.sendingStoppedAt !== null) await setSendingStopped(tx, id, null)
    if (before.step !== 'noticed') await tellAdmins(app, tx, workspaceId, backMail(about))
    await announceChange(tx, { topic: 'domains', workspaceId })
    return
  }
  const after = before ? stillMissing(before, at) : firstMissing(at)
  if (after === 'release') {
    const mailboxes = await giveUpDomain(app, tx, holder, 'proof-missing')
    await tellAdmins(app, tx, workspaceId, releasedMail(about, mailboxes))
    return
  }
  await saveMissingProof(tx, { domainId: id, workspaceId, ...after })
  await lookAgainAt(tx, [id], nextStepAt(after))
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
      return tellAdmins(app, tx, workspaceId, warnedMail(about, missing))
    case 'stopped':
      await setSendingStopped(tx, id, missing.stopsAt)
      return tellAdmins(app, tx, workspaceId, stoppedMail(about, missing))
    case 'last-call': {
      const mailboxes = await countMailboxes(tx, id)
      return tellAdmins(app, tx, workspaceId, lastCallMail(about, missing, mailboxes))
    }
  }
}
