/**
 * Limits automatic replies. They count as recipients of the day, but add no correspondent, since no person chose to write.
 * They may use half of the day's limit: otherwise strangers could use it up.
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { holdWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { outsideOf, type Sender, senderKnownSince } from './check-brakes.ts'
import { limitsAt } from './limits.ts'
import { insertSending, sumSent, waitForTurn } from './sendings-store.ts'
import { findStop } from './stops/stops-store.ts'

/** @throws SENDING_LIMIT, MAILBOX_SENDING_STOPPED */
export const countReply = async (app: App, tx: Db, sender: Sender, to: string): Promise<void> => {
  const { workspaceId, id: mailboxId } = sender
  const outside = await outsideOf(app, tx, workspaceId, [to])
  if (outside.length === 0) return
  const now = app.clock.now()
  const knownSince = await senderKnownSince(tx, sender, await holdWorkspace(tx, workspaceId))
  const { mailbox, together } = limitsAt(app.config, knownSince, now)
  await waitForTurn(tx, together === null ? mailboxId : workspaceId)
  if ((await findStop(tx, { workspaceId, mailboxId })) !== undefined)
    throw new AppError('MAILBOX_SENDING_STOPPED')
  const after = secondsAfter(now, -DAY_SECONDS)
  for (const [limit, by] of [
    [mailbox.recipients, mailboxId],
    [together?.recipients ?? null, null],
  ] as const) {
    if (limit === null) continue
    const { recipients } = await sumSent(tx, { workspaceId, mailboxId: by }, after)
    if (recipients + 1 > Math.ceil(limit / 2)) throw new AppError('SENDING_LIMIT')
  }
  const counted = { recipients: 1, newRecipients: 0 }
  await insertSending(tx, { id: newId(), workspaceId, mailboxId, at: now, ...counted })
}
