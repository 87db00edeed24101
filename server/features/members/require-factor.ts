/** A workspace, or the operator for the whole installation, requires a second factor (decision 126). */
import type { FactorRule, PersonWithout } from '#contract/account/required-factor.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { methodsOf } from '#server/features/factors/admission.ts'
import {
  findRequiredFactor,
  type Place,
  saveRequiredFactor,
} from '#server/features/factors/required-factor-queries.ts'
import { lockMembers } from '#server/features/workspaces/hold-right.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceSessionsEnded } from '#server/storage/notifications.ts'
import { countWithoutFactor, readWithoutFactor } from './without-factor-store.ts'

export const readFactorRule = async (db: Db, place: Place): Promise<FactorRule> => {
  const rule = await findRequiredFactor(db, place)
  return {
    graceDays: rule?.graceDays ?? null,
    requiredAt: rule?.requiredAt.toISOString() ?? null,
    peopleWithout: await countWithoutFactor(db, place),
  }
}

/** Who requires it has one, and so is not locked out by it. @throws OWN_FACTOR_FIRST */
export const requireOwnFactor = async (
  app: Pick<App, 'config'>,
  db: Db,
  userId: string,
): Promise<void> => {
  if ((await methodsOf(app, db, userId)) === null) throw new AppError('OWN_FACTOR_FIRST')
}

/** @throws OWN_FACTOR_FIRST, FORBIDDEN */
export const saveFactorRuleOf = (
  app: App,
  who: Who,
  graceDays: number | null,
): Promise<FactorRule> =>
  app.db.transaction().execute(async (tx) => {
    await lockMembers(tx, who)
    if (graceDays !== null) await requireOwnFactor(app, tx, who.userId)
    const { workspaceId } = who
    await saveRequiredFactor(tx, workspaceId, graceDays, app.clock.now())
    await announceChange(tx, { topic: 'workspaces', workspaceId })
    // Streams of events and mail programs are looked at again.
    await announceSessionsEnded(tx)
    return readFactorRule(tx, workspaceId)
  })

/** `cursor`: the last address of the page before. */
export const listPeopleWithout = async (
  db: Db,
  place: Place,
  { cursor = '', limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: PersonWithout[]; nextCursor: string | null }> => {
  const rows = await readWithoutFactor(db, place, cursor, limit + 1)
  const items = rows.slice(0, limit).map((row) => ({
    ...{ _id: row.id, name: `${row.firstName} ${row.lastName}`.trim(), email: row.email },
    ...{ isHolder: row.mailboxId !== null, since: row.joinedAt.toISOString() },
    dueAt: row.factorDueAt?.toISOString() ?? null,
  }))
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.email ?? null) : null }
}
