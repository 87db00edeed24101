/**
 * Tells the Admins of many deletions by one mail. Each deletion leaves a mark in its own transaction, so that none is forgotten
 * when the process ends between two of them, and a list that came in several requests is one mail (decision 079).
 */
import type { App } from '#server/app.ts'
import { lockUntoldDomains, workspacesToTell } from '#server/features/domains/deleted-queries.ts'
import { countMailboxesDeletedWith } from '#server/features/mailboxes/deleted-queries.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import { mailDomainsDeleted } from './deletion-mails.ts'

/** Longer than the pages need between two requests of one list. */
const QUIET_SECONDS = 30
/** After this, whatever follows: the Admins have to learn of a deletion while it can be taken back. */
const MOST_SECONDS = 600

/** For a loop. What was taken back meanwhile is not told. */
export const mailDeletions = async (app: App): Promise<void> => {
  const now = app.clock.now()
  const due = {
    quietSince: secondsAfter(now, -QUIET_SECONDS),
    latest: secondsAfter(now, -MOST_SECONDS),
  }
  for (const workspaceId of await workspacesToTell(app.db, due))
    await app.db.transaction().execute((tx) => tellDeletions(app, tx, workspaceId))
}

/** At once, for when one of them ends and could not be told any more. */
export const tellDeletions = async (app: App, tx: Db, workspaceId: string): Promise<void> => {
  const domains = await lockUntoldDomains(tx, workspaceId)
  const mailboxes = await countMailboxesDeletedWith(
    tx,
    workspaceId,
    domains.map(({ id }) => id),
  )
  const deleted = domains.map(({ id, name, endsAt, deletedBy }) => ({
    ...{ name: toUnicodeDomain(name), endsAt, deletedBy: deletedBy ?? '' },
    mailboxes: mailboxes.get(id) ?? 0,
  }))
  await mailDomainsDeleted(app, tx, workspaceId, deleted)
}
