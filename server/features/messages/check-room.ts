/**
 * Room for one more message (decision 042). A workspace may hold its quota of bytes, and as many messages as would fill it if
 * each had the size that the smallest takes on the disk.
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { lockStorage, storageOf } from '#server/features/mailboxes/readable-store.ts'
import type { Db } from '#server/storage/database.ts'
import { lockMailboxRow } from './changes-store.ts'

/** A block of the file system, and rows with their indexes. */
const LEAST_BYTES_ON_DISK = 8_192
/** However small the quota is. */
const LEAST_MESSAGES = 10_000
/** More than comes in while nobody looks. */
const AMPLE = { bytes: 1_000_000_000, messages: 20_000 }
const AMPLE_MS = 2_000
const MAX_KNOWN = 10_000

type Free = { bytes: number; messages: number }

/**
 * Answers what stays free after it.
 * @throws STORAGE_FULL when a workspace of these mailboxes has no room for a message of this size in each, or for so many.
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

/** As `checkRoom`, and nobody else has taken it when the transaction ends. @throws STORAGE_FULL */
export const reserveRoom = async (
  tx: Db,
  mailboxIds: readonly string[],
  sizeBytes: number,
  messages = mailboxIds.length,
): Promise<void> => {
  if (isAmple(await checkRoom({ db: tx }, mailboxIds, sizeBytes, messages))) return
  for (const id of mailboxIds.toSorted()) await lockMailboxRow(tx, id)
  await lockStorage(tx, mailboxIds)
  await checkRoom({ db: tx }, mailboxIds, sizeBytes, messages)
}

const isAmple = ({ bytes, messages }: Free): boolean =>
  bytes > AMPLE.bytes && messages > AMPLE.messages

const ample = new WeakMap<App['db'], Map<string, number>>()

/**
 * Whether the workspace has far more room than a moment can fill: until then nobody counts again, and nobody reserves.
 * @throws STORAGE_FULL
 */
export const hasAmpleRoom = async (
  app: Pick<App, 'db'>,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
  sizeBytes: number,
  db: Db = app.db,
): Promise<boolean> => {
  const known = ample.get(app.db) ?? new Map<string, number>()
  ample.set(app.db, known)
  const now = performance.now()
  if ((known.get(workspaceId) ?? 0) > now) return true
  if (!isAmple(await checkRoom({ db }, [mailboxId], sizeBytes))) return false
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(workspaceId, now + AMPLE_MS)
  return true
}
