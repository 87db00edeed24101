/**
 * Checks that there is room for a message (decision 042). A workspace is limited in bytes and in messages: to as many as would
 * fill its quota if each were the smallest possible on disk.
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { lockMailOf, lockStorage, storageOf } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'

/** A block of the file system, and the rows with their indexes. */
const LEAST_BYTES_ON_DISK = 8_192
/** Messages that every workspace may have, also with a tiny quota. */
const LEAST_MESSAGES = 10_000
/** More mail than can arrive while `ampleRoom` remembers the answer. */
const AMPLE = { bytes: 1_000_000_000, messages: 20_000 }

type Free = { bytes: number; messages: number }

/**
 * Returns what remains free afterwards.
 * @throws STORAGE_FULL when the workspace cannot hold so many messages, or their bytes: one message of this size per mailbox.
 */
export const checkRoom = async (
  { db }: Pick<App, 'db'> | { db: Db },
  mailboxIds: readonly string[],
  sizeBytes: number,
  messages = mailboxIds.length,
): Promise<Free> => {
  const needed = sizeBytes * mailboxIds.length
  const free = (await storageOf(db, mailboxIds)).map((storage) => ({
    bytes: storage.quotaBytes - (storage.usedBytes ?? 0) - needed,
    messages: mostMessages(storage.quotaBytes) - (storage.messages ?? 0) - messages,
  }))
  const least = {
    bytes: Math.min(...free.map(({ bytes }) => bytes)),
    messages: Math.min(...free.map((each) => each.messages)),
  }
  if (least.bytes < 0 || least.messages < 0) throw new AppError('STORAGE_FULL')
  return least
}

export const mostMessages = (quotaBytes: number): number =>
  Math.max(LEAST_MESSAGES, Math.floor(quotaBytes / LEAST_BYTES_ON_DISK))

/** Like `checkRoom`, and reserves the room until the transaction ends. @throws STORAGE_FULL */
export const reserveRoom = async (
  tx: Db,
  mailboxIds: readonly string[],
  sizeBytes: number,
  messages = mailboxIds.length,
): Promise<void> => {
  if (isAmple(await checkRoom({ db: tx }, mailboxIds, sizeBytes, messages))) return
  for (const id of mailboxIds.toSorted()) await lockMailOf(tx, id)
  await lockStorage(tx, mailboxIds)
  await checkRoom({ db: tx }, mailboxIds, sizeBytes, messages)
}

const isAmple = ({ bytes, messages }: Free): boolean =>
  bytes > AMPLE.bytes && messages > AMPLE.messages

/**
 * true: the workspace has so much room that no check and no reservation is needed for two seconds.
 * @throws STORAGE_FULL
 */
export const hasAmpleRoom = async (
  app: Pick<App, 'db' | 'caches'>,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
  sizeBytes: number,
  db: Db = app.db,
): Promise<boolean> => {
  const { ampleRoom } = app.caches
  if (ampleRoom.get(workspaceId)) return true
  if (!isAmple(await checkRoom({ db }, [mailboxId], sizeBytes))) return false
  ampleRoom.set(workspaceId, true)
  return true
}
