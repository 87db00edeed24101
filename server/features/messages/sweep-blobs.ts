import type { App } from '#server/app.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { readDigestAgain } from '#server/standards/reading/read-message.ts'
import { SMALL_BYTES } from '#server/storage/blobs/segment-blobs.ts'
import { placeOf } from '#server/storage/blobs/segment-file.ts'
import type { Db } from '#server/storage/database.ts'
import { oneAtOnce, SWEEP_LOCK } from '#server/storage/locks.ts'
import { announceMailSoon } from './announce-mail.ts'
import { blobsInSegment, blobsInUse, renameBlobs } from './blob-queries.ts'
import { lockMessage } from './change-queries.ts'
import {
  claimPartial,
  forgetPartial,
  type PartialMessage,
  putDigest,
} from './read-in-part-store.ts'

const KEEP_SECONDS = DAY_SECONDS
const BATCH = 500

/**
 * Removes what no row names, when it is older than a day, because the row is written soon after the blob: files, and segments. Small
 * files and what is left in segments that are mostly unused move to a new segment; their old places go a day later. It leaves a run
 * out while a backup reads what rows named when it began.
 * @returns the number of removed files and segments.
 */
export const sweepBlobs = async (app: App): Promise<number> =>
  (await oneAtOnce(app.connection, SWEEP_LOCK, () => sweepAll(app))) ?? 0

const sweepAll = async (app: App): Promise<number> => {
  const before = secondsAfter(app.clock.now(), -KEEP_SECONDS)
  const removed = (await sweepFiles(app, before)) + (await sweepSegments(app, before))
  await app.blobs.removeLeftovers(before)
  return removed
}

type File = { hash: string; size: number }

const sweepFiles = async (app: App, before: Date): Promise<number> => {
  let removed = 0
  let batch: File[] = []
  const sweep = async () => {
    if (batch.length === 0) return
    const used = await blobsInUse(
      app.db,
      batch.map(({ hash }) => hash),
    )
    for (const { hash } of batch)
      if (!used.has(hash) && (await app.blobs.deleteOlder(hash, before))) removed++
    const small = batch.filter(({ hash, size }) => used.has(hash) && size <= SMALL_BYTES)
    await moveBlobs(
      app,
      small.map(({ hash }) => hash),
    )
    batch = []
  }
  for await (const { hash, size, writtenAt } of app.blobs.list()) {
    if (writtenAt < before) batch.push({ hash, size })
    if (batch.length === BATCH) await sweep()
  }
  await sweep()
  return removed
}

/** Of a segment that is moved together: below this, the room is worth the work. */
const MOVED_BELOW = 0.5

const sweepSegments = async (app: App, before: Date): Promise<number> => {
  let removed = 0
  for await (const { segment, size, writtenAt } of app.blobs.segments()) {
    if (writtenAt >= before) continue
    const names = await blobsInSegment(app.db, segment)
    const used = names.reduce((sum, name) => sum + (placeOf(name)?.size ?? 0), 0)
    if (names.length === 0) {
      await app.blobs.removeSegment(segment)
      removed++
    } else if (used < size * MOVED_BELOW) await moveBlobs(app, names)
  }
  return removed
}

/** Fewer bytes in memory, and a short lock of the rows. */
const MOVED_AT_ONCE = 100

/** Writes the bytes again and lets the rows name the new place. What is damaged stays where it is, and is reported. */
const moveBlobs = async (app: App, names: readonly string[]): Promise<void> => {
  for (let at = 0; at < names.length; at += MOVED_AT_ONCE) {
    const moved = await Promise.all(
      names.slice(at, at + MOVED_AT_ONCE).map(async (old) => {
        try {
          return { old, now: await app.blobs.put(await app.blobs.stored(old)) }
        } catch (error) {
          if (error instanceof BlobMissing) return null
          throw error
        }
      }),
    )
    await renameBlobs(
      app.db,
      moved.filter((each) => each !== null),
    )
  }
}

const AT_ONCE = 50
/** Waits after each failed try; after the last the message stays partly parsed, which happens only to hostile mail. */
const WAIT_SECONDS = [600, 6 * 3_600, 24 * 3_600]

/**
 * Parses messages again, with more time, that could be parsed only in part when they were filed, for example under load
 * (decision 041).
 */
export const readAgain = async (app: App): Promise<void> => {
  for (let n = 0; n < AT_ONCE; n++) {
    const now = app.clock.now()
    const message = await claimPartial(app.db, now, (tries) =>
      secondsAfter(now, WAIT_SECONDS[tries] ?? WAIT_SECONDS[0] ?? 0),
    )
    if (message === undefined) return
    await readOne(app, message)
  }
}

const readOne = async (app: App, message: PartialMessage): Promise<void> => {
  const { workspaceId, mailboxId, blob, tries } = message
  const digest = await readDigestAgain(await app.blobs.get(blob), workspaceId)
  if (digest === null && tries < WAIT_SECONDS.length) return
  await app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, mailboxId)
    if (digest !== null && digest !== 'too-deep') await writeDigest(tx, message, digest)
    await forgetPartial(tx, message)
  })
  announceMailSoon(app, { workspaceId, mailboxId })
}

const writeDigest = async (tx: Db, message: PartialMessage, digest: MessageDigest) => {
  const { id: messageId, workspaceId, mailboxId } = message
  const locked = await lockMessage(tx, { workspaceId, mailboxId, messageId })
  if (locked === undefined) return
  const { modseq } = await touchFolder(tx, locked.folderId, { messages: 0, unread: 0, uids: 0 })
  await putDigest(tx, message, digest, modseq)
}
