/** Tells the Admins of a workspace which records of its domains fail, once, and which are right again. */
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { adminEmails } from '#server/features/workspaces/admin-emails.ts'
import { lockWorkspaces } from '#server/features/workspaces/lock-workspaces.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import { alertMail } from './alert-mail.ts'
import {
  lockRecordsToTell,
  markTold,
  type RecordToTell,
  readMailedAt,
  readWorkspacesToTell,
  writeMailedAt,
} from './alerts-store.ts'

/** What fails at one provider fails for many domains within minutes: they share a mail. */
const GATHER_SECONDS = 600
/** The checks of a workspace's domains are spread over hours: what comes later shares the next mail. */
const APART_SECONDS = 3600

/** Answers how many workspaces were written to. */
export const mailDomainAlerts = async (app: App): Promise<number> => {
  let count = 0
  for (const workspaceId of await readWorkspacesToTell(app.db)) {
    try {
      if (await app.db.transaction().execute((tx) => mailWorkspace(app, tx, workspaceId)))
        count += 1
    } catch (error) {
      app.log.error({ err: error, workspaceId }, 'the Admins could not be told of failing records')
    }
  }
  return count
}

const mailWorkspace = async (app: App, tx: Db, workspaceId: string): Promise<boolean> => {
  // One process at a time; whoever comes second finds nothing left to tell.
  await lockWorkspaces(tx, [workspaceId])
  const now = app.clock.now()
  const mailedAt = await readMailedAt(tx, workspaceId)
  if (mailedAt !== null && now < secondsAfter(mailedAt, APART_SECONDS)) return false
  const records = await lockRecordsToTell(tx, workspaceId)
  const isGathered = ({ failedAt, changedAt }: RecordToTell) =>
    now >= secondsAfter(failedAt ?? changedAt ?? now, GATHER_SECONDS)
  if (!records.some(isGathered)) return false
  const failing = records.filter(({ failures }) => failures > 0)
  const mended = records.filter(({ failures }) => failures === 0)
  const mail = alertMail({ failing, mended, publicUrl: app.config.publicUrl })
  for (const to of await adminEmails(tx, workspaceId))
    await sendSystemMail(app, tx, { to, ...mail })
  await markTold(tx, workspaceId, now)
  await writeMailedAt(tx, workspaceId, now)
  return true
}
