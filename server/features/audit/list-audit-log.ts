import type { Input, Output } from '#contract/route.ts'
import {
  AUDIT_LOG_DAYS,
  type AuditEntry,
  BY_OPERATOR,
  BY_SYSTEM,
  type listAuditLog as listAuditLogRoute,
  MOST_COUNTED_LINES,
} from '#contract/workspace/audit-log.ts'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { pageOf } from '#server/lib/list-pages.ts'
import { patternOf } from '#server/lib/search-pattern.ts'
import { openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { type AuditRow, countLines, deleteLines, readAuditPage } from './audit-store.ts'

/** Lists of a workspace at once: words are sought in every line, and all workspaces share the connections. */
const turns = openTurnsOfEach(1)

export const listAuditLog = (
  app: Pick<App, 'db'>,
  who: { workspaceId: string },
  query: Input<typeof listAuditLogRoute>['query'],
): Promise<Output<typeof listAuditLogRoute>> =>
  turns.take(who.workspaceId, () => list(app, who, query))

const list = async (
  { db }: Pick<App, 'db'>,
  { workspaceId }: { workspaceId: string },
  { limit, cursor, q = '', ...filters }: Input<typeof listAuditLogRoute>['query'],
): Promise<Output<typeof listAuditLogRoute>> => {
  const search = {
    ...{ workspaceId, pattern: patternOf(q), direction: filters.direction },
    ...whoIn(filters.who),
    topic: filters.topic ?? null,
    since: filters.from === undefined ? null : new Date(`${filters.from}T00:00:00Z`),
    before: filters.until === undefined ? null : dayAfter(filters.until),
  }
  const [{ items, ...page }, total] = await Promise.all([
    pageOf({ limit, cursor }, 'time', (range) => readAuditPage(db, search, range)),
    countLines(db, search, MOST_COUNTED_LINES + 1),
  ])
  return { ...page, items: items.map(toEntry), total }
}

const NOBODY: readonly string[] = [BY_SYSTEM, BY_OPERATOR]

const whoIn = (who = ''): { email: string | null; byWhat: string | null } =>
  NOBODY.includes(who)
    ? { email: '', byWhat: who }
    : { email: who.toLowerCase() || null, byWhat: null }

const dayAfter = (day: string): Date => secondsAfter(new Date(`${day}T00:00:00Z`), DAY_SECONDS)

const toEntry = (row: AuditRow): AuditEntry => ({
  ...{ _id: row.id, at: row.at.toISOString(), name: row.name, email: row.email, ip: row.ip },
  ...{ by: row.byWhat, topic: row.topic, action: row.action, what: row.what },
  ...{ object: row.object, objectAfter: row.objectAfter, details: row.details },
  isDone: row.isDone,
})

/** For a daily job. */
export const purgeAuditLog = (app: Pick<App, 'db' | 'clock'>): Promise<void> =>
  deleteLines(app.db, secondsAfter(app.clock.now(), -AUDIT_LOG_DAYS * DAY_SECONDS))
