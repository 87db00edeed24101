/** Files a batch of messages of an mbox file together with the position reached, in one transaction. */

import { AppError } from '#contract/errors.ts'
import { MAX_OWN_FOLDERS } from '#contract/mail/own-folders.ts'
import { MAX_IMPORT_FAULTS } from '#contract/mail/transfer.ts'
import type { FolderRole } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import {
  type FolderRow,
  foldersOf,
  insertFolder,
} from '#server/features/mailboxes/folder-queries.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { reserveRoom } from '#server/features/messages/check-room.ts'
import { fileMessage } from '#server/features/messages/message-queries.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { oneLine } from '#server/lib/plain-text.ts'
import type { MboxFields } from '#server/standards/mbox/mbox-fields.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import type { Db } from '#server/storage/database.ts'
import {
  changeImport,
  deleteChunks,
  type ImportRow,
  insertFaults,
  knownHashes,
  lockImport,
} from './imports-store.ts'
import type { Fault, Prepared, Ready } from './prepare-entry.ts'

type Range = { from: number; to: number }

/** Lease of an import after each batch. */
export const LEASE_SECONDS = 30

/** false: the import is finished, stopped, or held by another worker. */
export const fileBatch = async (
  app: App,
  claimed: ImportRow,
  prepared: Prepared,
  range: Range,
): Promise<boolean> =>
  app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, claimed.mailboxId)
    const row = await lockImport(tx, claimed, claimed.id)
    if (row === undefined || row.state !== 'running' || row.readBytes !== range.from) return false
    const fresh = await withoutKnown(tx, row, prepared.ready)
    const touchedAt = app.clock.now()
    if (!(await hasRoom(tx, row, fresh))) {
      const reason = 'The storage of the workspace is full'
      await changeImport(tx, row, { state: 'stopped', reason, touchedAt, claimedUntil: null })
      return false
    }
    await fileAll(app, tx, row, fresh)
    await noteFaults(tx, row, prepared.faults)
    const isDone = range.to === row.sizeBytes
    const saved = await changeImport(tx, row, {
      ...{ readBytes: range.to, touchedAt, filed: row.filed + fresh.length },
      skipped: row.skipped + prepared.ready.length - fresh.length + prepared.gone,
      failed: row.failed + prepared.faults.length,
      claimedUntil: secondsAfter(touchedAt, LEASE_SECONDS),
      ...(isDone && { state: 'done' as const, claimedUntil: null }),
    })
    if (isDone) await deleteChunks(tx, saved)
    return !isDone
  })

/** Equal bytes are the same message, in the mailbox or earlier in the file. */
const withoutKnown = async (tx: Db, row: ImportRow, ready: readonly Ready[]): Promise<Ready[]> => {
  const known = await knownHashes(
    tx,
    row,
    ready.map(({ digest, raw }) => ({ messageId: digest.messageId, size: raw.length })),
  )
  return ready.filter(({ blob }) => {
    const hash = hashIn(blob)
    const isNew = !known.has(hash)
    known.add(hash)
    return isNew
  })
}

const hasRoom = async (tx: Db, { mailboxId }: ImportRow, fresh: readonly Ready[]) => {
  const bytes = fresh.reduce((sum, { raw }) => sum + raw.length, 0)
  try {
    await reserveRoom(tx, [mailboxId], bytes, fresh.length)
    return true
  } catch (error) {
    if (error instanceof AppError && error.type === 'STORAGE_FULL') return false
    throw error
  }
}

/** Imported mail is filed as it is: no junk filter, no vacation reply. */
const fileAll = async (
  app: App,
  tx: Db,
  row: ImportRow,
  fresh: readonly Ready[],
): Promise<void> => {
  const pick = await folderPicker(tx, row)
  const now = app.clock.now()
  for (const message of fresh) {
    const folder = await pick(message.folders)
    const { raw, blob, digest, isRead, isStarred, isAnswered, mailFrom, date } = message
    const isFiled = await fileMessage(tx, {
      ...{ id: newId(), mailboxId: row.mailboxId, folderId: folder.id, blob, digest, mailFrom },
      ...{ isRead, isStarred, isAnswered, isDraft: folder.role === 'drafts' },
      sizeBytes: raw.length,
      authentication: null,
      savedAt: now,
      date: date !== null && date < now ? date : now,
    })
    if (!isFiled) throw new Error(`mailbox ${row.mailboxId} is gone`)
  }
}

type Folder = { id: string; role: FolderRole | null }

/**
 * The folder of a message in an mbox file: the chosen one, otherwise the one named in the file, otherwise Archive.
 * Creates missing folders in the transaction. The mailbox must be locked.
 */
export const folderPicker = async (tx: Db, { workspaceId, mailboxId, folderId }: ImportRow) => {
  const folders: FolderRow[] = await foldersOf(tx, workspaceId, mailboxId)
  const chosen = folders.find(({ id }) => id === folderId)
  const named = async (typed: string): Promise<Folder | undefined> => {
    const name = oneLine(typed, MAX_NAME)
    const found = folders.find((folder) => folder.name.toLowerCase() === name.toLowerCase())
    const own = folders.filter(({ role }) => role === null).length
    if (found !== undefined || name === '' || own >= MAX_OWN_FOLDERS) return found
    const made = await insertFolder(tx, { workspaceId, mailboxId }, { id: newId(), name })
    folders.push(made)
    return made
  }
  return async (wanted: readonly MboxFields['folder'][]): Promise<Folder> => {
    if (chosen !== undefined) return chosen
    for (const place of [...wanted, { role: 'archive' }]) {
      const found =
        'role' in place ? folders.find(({ role }) => role === place.role) : await named(place.name)
      if (found !== undefined) return found
    }
    throw new Error(`mailbox ${mailboxId} has no Archive`)
  }
}

const MAX_NAME = 60

const noteFaults = async (tx: Db, row: ImportRow, faults: readonly Fault[]): Promise<void> => {
  const before = row.filed + row.skipped + row.failed
  const { id: importId, mailboxId, workspaceId } = row
  await insertFaults(
    tx,
    faults.slice(0, Math.max(0, MAX_IMPORT_FAULTS - row.failed)).map(({ at, ...fault }) => ({
      ...{ importId, mailboxId, workspaceId, n: before + at + 1 },
      ...fault,
    })),
  )
}
