import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { storageOf } from './access-store.ts'

/** @throws STORAGE_FULL when a workspace of these mailboxes has no room for one more message of this size in each. */
export const checkRoom = async (
  app: App,
  mailboxIds: readonly string[],
  sizeBytes: number,
): Promise<void> => {
  const needed = sizeBytes * mailboxIds.length
  for (const { quotaBytes, usedBytes } of await storageOf(app.db, mailboxIds))
    if ((usedBytes ?? 0) + needed > quotaBytes) throw new AppError('STORAGE_FULL')
}
