/** Who else operates this installation. */
import { AppError } from '#contract/errors.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import {
  deleteOperator,
  insertOperator,
  operatorRows,
} from '#server/features/operators/operator-queries.ts'
import { type Operator, type OperatorApp, operate } from '#server/features/operators/operators.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { requireAccount } from './accounts.ts'

export type ListedOperator = { email: string; name: string; madeBy: string; madeAt: Date | null }

/** Those in OPERATORS have no date. */
export const listOperators = async (app: OperatorApp): Promise<ListedOperator[]> => {
  const rows = await operatorRows(app.db)
    .innerJoin(userRows(app.db).as('u'), 'u.id', 'operators.userId')
    .select(['u.email', 'u.firstName', 'u.lastName'])
    .orderBy('madeAt')
    .execute()
  const made = rows.map(({ email, firstName, lastName, madeBy, madeAt }) => ({
    ...{ email, name: `${firstName} ${lastName}`.trim(), madeBy, madeAt },
  }))
  const set = app.config.operators.filter((email) => made.every((each) => each.email !== email))
  return [...set.map((email) => ({ email, name: '', madeBy: 'OPERATORS', madeAt: null })), ...made]
}

/** @throws NOT_EXISTS without a verified account of this address */
export const addOperator = (app: OperatorApp, by: Operator, email: string): Promise<void> =>
  operate(app, by, async (tx) => {
    const user = await requireAccount(tx, email)
    await insertOperator(tx, { userId: user.id, madeBy: by, madeAt: app.clock.now() })
    return {
      action: { verb: 'operator add', workspaceId: null, subject: user.email },
      answer: undefined,
    }
  })

/** @throws NOT_EXISTS; STATUS_NOT_ALLOWED for one that OPERATORS names, or that removes itself */
export const removeOperator = (app: OperatorApp, by: Operator, email: string): Promise<void> =>
  operate(app, by, async (tx) => {
    const user = await requireAccount(tx, email)
    const refuse = (message: string) => new AppError('STATUS_NOT_ALLOWED', { message })
    if (app.config.operators.includes(user.email))
      throw refuse(
        'This operator stands in the setting OPERATORS. Please take the address out there',
      )
    if (user.email === by) throw refuse('Another operator, or the terminal, can remove you')
    if (!(await deleteOperator(tx, user.id))) throw new AppError('NOT_EXISTS')
    await announceSessionsEnded(tx)
    return {
      action: { verb: 'operator remove', workspaceId: null, subject: user.email },
      answer: undefined,
    }
  })
