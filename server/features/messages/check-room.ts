import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { storageOf } from './access-store.ts'

/**
 * Answers how many bytes stay free after it.
 * @throws STORAGE_FULL when a workspace of these mailboxes has no room for one more message of this size in each.
 */
export const checkRoom = async (
  app: Pick<App, 'db'>,
  mailboxIds: readonly string[],
  sizeBytes: number,
): Promise<number> => {
  const needed = sizeBytes * mailboxIds.length
  const free = (await storageOf(app.db, mailboxIds)).map(
    ({ quotaBytes, usedBytes }) => quotaBytes - (usedBytes ?? 0) - needed,
  )
  const least = Math.min(...free)
  if (least < 0) throw new AppError('STORAGE_FULL')
  return least
}
