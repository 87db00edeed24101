/** Some messages of an mbox file into their mailbox: all of them with the place in the file that is reached, or none. */
import { AppError } from '#contract/errors.ts'
import { MAX_OWN_FOLDERS } from '#contract/mail/own-folders.ts'
import { MAX_IMPORT_FAULTS } from '#contract/mail/transfer.ts'
import type { FolderRole } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { lockMailboxRow } from '#server/features/messages/changes-store.ts'
import { reserveRoom } from '#server/features/messages/check-room.ts'
import { insertFolder } from '#server/features/messages/folders-store.ts'
import { type FolderRow, fileMessage, foldersOf } from '#server/features/messages/messages-store.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { MboxFields } from '#server/standards/mbox/mbox-fields.ts'
import type { Db } from '#server/storage/database.ts'
import {
  changeImport,
  deleteChunks,
  type ImportRow,
  insertFaults,
  knownBlobs,
  lockImport,
} from './imports-store.ts'
import type { Fault, Prepared, Ready } from './prepare-entry.ts'

type Range = { from: number; to: number }

/** How long an import is one worker's after each batch. */
export const LEASE_SECONDS = 30

/** false: it is over, stopped, or another worker's by now. */
export const fileBatch = async (
  app: App,
  claimed: ImportRow,
  prepared: Prepared,
  range: Range,
): Promise<boolean> =>
  app.db.transaction().execute(async (tx) => {
    await lockMailboxRow(tx, claimed.mailboxId)
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

/** The same bytes are the same message, here or earlier in the file. */
const withoutKnown = async (tx: Db, row: ImportRow, ready: readonly Ready[]): Promise<Ready[]> => {
  const known = await knownBlobs(
    tx,
    row,
    ready.map(({ blob }) => blob),
  )
  return ready.filter(({ blob }) => {
    const isNew = !known.has(blob)
    known.add(blob)
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

/** As it was: no rule looks at old mail, no vacation reply answers it. */
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
      date: date !== null && date < now ? date : now,
    })
    if (!isFiled) throw new Error(`mailbox ${row.mailboxId} is gone`)
  }
}

type Folder = { id: string; role: FolderRole | null }

/**
 * Which folder a message of an mbox file goes to: the one that was chosen, else where the file says, else Archive.
 * Folders that are missing are made, in the transaction. The mailbox is locked.
 */
export const folderPicker = async (tx: Db, { workspaceId, mailboxId, folderId }: ImportRow) => {
  const folders: FolderRow[] = await foldersOf(tx, workspaceId, mailboxId)
  const chosen = folders.find(({ id }) => id === folderId)
  const named = async (typed: string): Promise<Folder | undefined> => {
    const name = tidy(typed)
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

const tidy = (name: string): string =>
  name
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed()
    .trim()
    .slice(0, MAX_NAME)
    .trim()

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
