import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import {
  deleteFactorsOf,
  findFactorRow,
  lockFactors,
  readPasskeys,
  saveFactorRow,
} from './factors-store.ts'

/**
 * Takes every factor of a person who lost theirs. The caller ends their sessions and says who did it; a loop mails the person.
 * @throws NO_SECOND_FACTOR
 */
export const resetFactors = async (
  { clock }: Pick<App, 'clock'>,
  tx: Db,
  userId: string,
): Promise<void> => {
  await lockFactors(tx, userId)
  const hasApp = (await findFactorRow(tx, userId))?.totpSince != null
  if (!hasApp && (await readPasskeys(tx, userId)).length === 0)
    throw new AppError('NO_SECOND_FACTOR')
  await deleteFactorsOf(tx, userId)
  const now = clock.now()
  await saveFactorRow(tx, userId, { changedAt: now, isResetUntold: true }, now)
}
