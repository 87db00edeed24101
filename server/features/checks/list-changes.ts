import type {
  listRecordChanges as listRecordChangesRoute,
  RecordChange,
} from '#contract/dns/setting.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { readDomain } from '#server/features/domains/domains-store.ts'
import { isId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { type ChangeRow, readChanges } from './changes-store.ts'

/** How the records of a domain changed, newest first; of each record the last fifty times. */
export const listRecordChanges = async (
  app: App,
  who: Who,
  id: string,
  { purpose, limit, cursor }: Input<typeof listRecordChangesRoute>['query'],
): Promise<Output<typeof listRecordChangesRoute>> => {
  const domain = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const asked = { purpose: purpose ?? null, after, limit: limit + 1 }
  const page = pageOf(await readChanges(app.db, domain, asked), limit, ({ at, id }) => ({ at, id }))
  return { items: page.items.map(toRecordChange), nextCursor: page.nextCursor }
}

const toRecordChange = (row: ChangeRow): RecordChange => ({
  _id: row.id,
  purpose: row.purpose,
  at: row.at.toISOString(),
  from: { state: row.fromState, values: row.fromValues },
  to: { state: row.toState, values: row.toValues },
})
