/** What operators did, for operators. */
import type { OperatorAction } from '#contract/operator/actions.ts'
import { operatorVerb } from '#contract/operator/actions.ts'
import { type ActionRow, actionRows } from '#server/features/operators/operator-queries.ts'
import type { OperatorApp } from '#server/features/operators/operators.ts'
import { type Page, pageOf } from './pages.ts'
import { patternOf } from './patterns.ts'

/** Newest first. `q`: words in the operator, the verb, the subject or the detail. */
export const listActions = async (
  { db }: Pick<OperatorApp, 'db'>,
  { q = '', ...page }: Page & { q?: string | undefined },
): Promise<{ items: OperatorAction[]; nextCursor: string | null }> => {
  const { items, nextCursor } = await pageOf(page, ({ offset, limit }) => {
    const rows = actionRows(db).offset(offset).limit(limit)
    const pattern = patternOf(q)
    if (pattern === null) return rows.execute()
    return rows
      .where(({ or, eb }) =>
        or(
          (['operator', 'verb', 'subject', 'detail'] as const).map((column) =>
            eb(column, 'ilike', pattern),
          ),
        ),
      )
      .execute()
  })
  return { items: items.map(toAction), nextCursor }
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
