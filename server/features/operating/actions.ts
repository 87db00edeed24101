/** What operators did, for operators. */
import { type ActionOrder, type OperatorAction, operatorVerb } from '#contract/operator/actions.ts'
import type { ActionRow } from '#server/features/operators/operator-queries.ts'
import type { OperatorApp } from '#server/features/operators/operators.ts'
import { type Listing, type Paged, pageOf, soughtBy } from '#server/lib/list-pages.ts'
import { countActions, readActionPage } from './actions-store.ts'

/** `q`: words in the operator, the verb, the subject or the detail. */
export const listActions = async (
  { db }: Pick<OperatorApp, 'db'>,
  listing: Listing<ActionOrder>,
): Promise<Paged<OperatorAction> & { total: number }> => {
  const search = soughtBy(listing)
  const [{ items, ...page }, total] = await Promise.all([
    pageOf(listing, 'time', (range) => readActionPage(db, search, range)),
    countActions(db, search),
  ])
  return { ...page, items: items.map(toAction), total }
}

export const toAction = (row: ActionRow): OperatorAction => ({
  _id: row.id,
  at: row.at.toISOString(),
  operator: row.operator,
  verb: operatorVerb.parse(row.verb),
  workspaceId: row.workspaceId,
  subject: row.subject,
  detail: row.detail,
})
