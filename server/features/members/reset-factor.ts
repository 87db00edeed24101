/**
 * An Admin resets the second factors of somebody who lost them. Only of holders and of members of this workspace alone: the password
 * and the factors of an account that is elsewhere too are not this workspace's to lower (decision 116).
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import { endSessionsOf, userRows } from '#server/features/accounts/user-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { resetFactors } from '#server/features/factors/reset-factors.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { isOperator } from '#server/features/operators/operators.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import { lockMembers } from '#server/features/workspaces/hold-right.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'

/** @throws NOT_EXISTS, NO_SECOND_FACTOR, FACTOR_OF_OTHERS */
export const resetMemberFactorOf = (app: App, who: Who, userId: string): Promise<void> =>
  inTransaction(app, async (tx) => {
    if (!isId(userId)) throw new AppError('NOT_EXISTS')
    await lockMembers(tx, who)
    const places = await memberRows(tx).where('userId', '=', userId).execute()
    if (!places.some(({ workspaceId }) => workspaceId === who.workspaceId))
      throw new AppError('NOT_EXISTS')
    const person = await userRows(tx).where('id', '=', userId).executeTakeFirstOrThrow()
    const isElsewhere =
      places.length > 1 || (await isOperator({ config: app.config, db: tx }, person))
    if (isElsewhere) throw new AppError('FACTOR_OF_OTHERS')
    await reset(app, tx, who, userId)
  })

/** @throws NOT_EXISTS without a holder, NO_SECOND_FACTOR */
export const resetHolderFactorOf = (app: App, who: Who, mailboxId: string): Promise<void> =>
  inTransaction(app, async (tx) => {
    if (!isId(mailboxId)) throw new AppError('NOT_EXISTS')
    await lockMembers(tx, who)
    const mailbox = await mailboxRows(tx)
      .where('id', '=', mailboxId)
      .where('workspaceId', '=', who.workspaceId)
      .executeTakeFirst()
    const holder =
      mailbox && (await userRows(tx).where('mailboxId', '=', mailbox.id).executeTakeFirst())
    if (!holder) throw new AppError('NOT_EXISTS')
    await reset(app, tx, who, holder.id)
  })

const reset = async (app: App, tx: Db, who: Who, userId: string): Promise<void> => {
  await resetFactors(app, tx, userId)
  await endSessionsOf(tx, userId, app.clock.now())
  await announceSessionsEnded(tx)
  const change = 'second factor reset'
  logRight(app, tx, who, { what: 'member', objectId: userId, change, whose: userId })
}
