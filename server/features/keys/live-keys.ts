/** The events that keys hear: of their workspace, of what their scopes read, of what they reach. */
import { isFactorDue } from '#contract/account/required-factor.ts'
import { topicsFor } from '#contract/developers/scopes.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import {
  type HeardByKey,
  type LiveSession,
  mailboxesOf,
} from '#server/features/accounts/live-sessions.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { findKeysByIds, type KeyRow } from './api-keys-store.ts'
import { isLost, reachIn } from './resolve-key.ts'

/** The live ones among these. */
export const liveKeys = async (
  app: App,
  keyIds: readonly string[],
): Promise<Map<string, LiveSession>> => {
  if (keyIds.length === 0) return new Map()
  const now = app.clock.now()
  const rows = (await findKeysByIds(app.db, keyIds)).filter(
    (row) =>
      !isLost(row) && !isFactorDue(row, now) && (row.expiresAt === null || row.expiresAt > now),
  )
  const readers = rows.filter(({ role }) => !memberCan(role, 'see-mailboxes'))
  const read = await mailboxesOf(app, [...new Set(readers.map(({ userId }) => userId))])
  const reached = await reachedMailboxes(app.db, rows)
  const live = new Map<string, LiveSession>()
  for (const row of rows) {
    const key = { topics: topicsFor(row.scopes), mailboxIds: reached(row) }
    const mailboxIds = read.get(row.userId) ?? new Set<string>()
    live.set(row.id, new Map([[row.workspaceId, { role: row.role, mailboxIds, key }]]))
  }
  return live
}

/**
 * What each key reaches, by one query for all of them; null: it is not narrowed. A mailbox that is made later is heard of when the stream
 * is asked again.
 */
const reachedMailboxes = async (
  db: Db,
  rows: readonly KeyRow[],
): Promise<(row: KeyRow) => HeardByKey['mailboxIds']> => {
  const narrowed = rows.filter(({ domainIds }) => domainIds !== null && domainIds.length > 0)
  const mailboxes =
    narrowed.length === 0
      ? []
      : await mailboxRows(db)
          .where('workspaceId', 'in', [...new Set(narrowed.map(({ workspaceId }) => workspaceId))])
          .where('domainId', 'in', [
            ...new Set(narrowed.flatMap(({ domainIds }) => domainIds ?? [])),
          ])
          .execute()
  const placed = Map.groupBy(mailboxes, ({ workspaceId, domainId }) => `${workspaceId} ${domainId}`)
  return (row) => {
    const reach = reachIn(row)
    if (reach === null) return null
    const inDomains = reach.domainIds.flatMap((id) => placed.get(`${row.workspaceId} ${id}`) ?? [])
    return new Set([...reach.mailboxIds, ...inDomains.map(({ id }) => id)])
  }
}
