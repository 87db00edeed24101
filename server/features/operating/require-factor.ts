/** Operators require a second factor of everybody (decision 126). */
import type { FactorRule } from '#contract/account/required-factor.ts'
import type { App } from '#server/app.ts'
import { saveRequiredFactor } from '#server/features/factors/required-factor-queries.ts'
import { readFactorRule, requireOwnFactor } from '#server/features/members/require-factor.ts'
import { noteAction, type Operator } from '#server/features/operators/operators.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'

type World = Pick<App, 'db' | 'clock' | 'config'>

/** `userId` null: at the terminal, which nobody is locked out of. @throws OWN_FACTOR_FIRST */
export const requireFactorOfAll = (
  app: World,
  operator: Operator,
  userId: string | null,
  graceDays: number | null,
): Promise<FactorRule> =>
  app.db.transaction().execute(async (tx) => {
    if (graceDays !== null && userId !== null) await requireOwnFactor(app, tx, userId)
    const before = await readFactorRule(tx, null)
    await saveRequiredFactor(tx, null, graceDays, app.clock.now())
    if (before.graceDays !== graceDays) {
      const detail = graceDays === null ? 'not required' : `required after ${graceDays} days`
      const action = {
        verb: 'setting change',
        workspaceId: null,
        subject: 'second factor',
      } as const
      await noteAction(tx, app.clock.now(), operator, { ...action, detail })
    }
    await announceSessionsEnded(tx)
    return readFactorRule(tx, null)
  })
