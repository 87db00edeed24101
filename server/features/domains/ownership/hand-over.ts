import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type DomainRow, updateDomain } from '../domains-store.ts'
import { updateRecord } from '../records-store.ts'
import { giveUpDomain } from './give-up-domain.ts'
import { lostMail, wonMail } from './mails/claim-mails.ts'
import { tellAdmins } from './mails/tell-admins.ts'
import { lookAgainAt } from './ownership-store.ts'

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
