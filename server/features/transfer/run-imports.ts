/**
 * Files uploaded mbox files. Each batch renews the lease of its import and stores the position together with the filed
 * messages, so another worker can continue after a crash and nothing is filed twice. Workspaces take turns by batch (decision 028).
 */
import { MAX_IMPORTED_BYTES } from '#contract/mail/transfer.ts'
import type { App } from '#server/app.ts'
import { announceMailSoon } from '#server/features/messages/announce-mail.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { readMbox } from '#server/standards/mbox/read-mbox.ts'
import { deleteExports } from './exports-store.ts'
import { fileBatch, LEASE_SECONDS } from './file-batch.ts'
import {
  cancelIdle,
  changeImport,
  claimImport,
  doesAnotherWait,
  type ImportRow,
  readChunk,
  stopImport,
} from './imports-store.ts'
import { emptyPrepared, prepareEntry } from './prepare-entry.ts'

const BATCH_MESSAGES = 50
const BATCH_BYTES = 8_000_000
/** Longest time of a batch: other imports wait for their turn, and a cancel waits for its end. */
const BATCH_MS = 2_000
/** For this long a failing import is retried; then it is stopped. */
const TRIED_FOR_SECONDS = 600

export const runImports = async (app: App, isClosing: () => boolean = () => false) => {
  while (!isClosing()) {
    const now = app.clock.now()
    const row = await claimImport(app.db, now, secondsAfter(now, LEASE_SECONDS))
    if (row === undefined) return
    try {
      await runTurn(app, row, isClosing)
    } catch (error) {
      const reason = `It failed for ${TRIED_FOR_SECONDS / 60} minutes, and the log of the server says why`
      const since = secondsAfter(app.clock.now(), -TRIED_FOR_SECONDS)
      if (await stopImport(app.db, row, { since, reason })) announceMailSoon(app, row)
      throw error
    }
  }
}

/** Runs batches until another import waits, which then has its turn. */
const runTurn = async (app: App, row: ImportRow, isClosing: () => boolean): Promise<void> => {
  let from = row.readBytes
  let batch = emptyPrepared()
  let begunAt = performance.now()
  const file = async (to: number): Promise<boolean> => {
    const goesOn = await fileBatch(app, row, batch, { from, to })
    announceMailSoon(app, row)
    from = to
    batch = emptyPrepared()
    return goesOn
  }
  let isWhole = false
  const pieces = bytesFrom(app, row, from, () => {
    isWhole = true
  })
  const options = { startByte: from, maxBytes: MAX_IMPORTED_BYTES }
  for await (const entry of readMbox(pieces, options)) {
    await prepareEntry(app, batch, entry, row.workspaceId)
    const isFull = batch.entries >= BATCH_MESSAGES || batch.bytes >= BATCH_BYTES
    if (!isFull && performance.now() - begunAt < BATCH_MS) continue
    if (!(await file(entry.endByte))) return
    // Gives the lease back, so that the next turn need not wait for its end.
    if (isClosing() || (await doesAnotherWait(app.db, row, app.clock.now())))
      return void (await changeImport(app.db, row, { claimedUntil: null }))
    begunAt = performance.now()
  }
  if (isWhole) await file(row.sizeBytes)
}

async function* bytesFrom(
  app: App,
  row: ImportRow,
  from: number,
  onEnd: () => void,
): AsyncGenerator<Buffer> {
  for (let at = from; at < row.sizeBytes; ) {
    const chunk = await readChunk(app.db, row, at)
    // The import was cancelled meanwhile.
    if (chunk === undefined || chunk.startByte + chunk.sizeBytes <= at) return
    const bytes = await app.blobs.get(chunk.blob)
    yield bytes.subarray(at - chunk.startByte)
    at = chunk.startByte + chunk.sizeBytes
  }
  onEnd()
}

/** Ends uploads that were abandoned for a week, and deletes downloads after a day. */
export const purgeTransfers = async (app: App): Promise<void> => {
  const now = app.clock.now()
  await cancelIdle(app.db, secondsAfter(now, -7 * DAY_SECONDS))
  await deleteExports(app.db, secondsAfter(now, -DAY_SECONDS))
}
