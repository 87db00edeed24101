/** Receives an mbox file in pieces: each is durable before the answer, so a lost connection costs one piece. */
import { AppError, invalidField } from '#contract/errors.ts'
import {
  IMPORT_PIECE_BYTES,
  type MailImport,
  NO_MBOX,
  type startImport as startImportRoute,
} from '#contract/mail/transfer.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { storageOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { pickFolder } from '#server/features/messages/list-folders.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { isMessageStart } from '#server/standards/mbox/unpack-message.ts'
import type { Db } from '#server/storage/database.ts'
import { findImport, toImport } from './edit-imports.ts'
import {
  cancelledImportBytes,
  changeImport,
  deleteChunks,
  findOpenImport,
  type ImportRow,
  insertChunk,
  insertImport,
  lockImport,
  openImportBytes,
  type Place,
} from './imports-store.ts'

type Form = Input<typeof startImportRoute>['body']

/** Returns the open import if it has the same file. @throws STORAGE_FULL, IMPORT_OPEN */
export const startImport = async (
  app: App,
  who: Who,
  mailboxId: string,
  form: Form,
): Promise<MailImport> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const folders = await foldersOf(app.db, who.workspaceId, mailboxId)
  const folderId = form.folder === undefined ? null : pickFolder(folders, form.folder).id
  const open = await findOpenImport(app.db, place)
  if (open !== undefined) return sameFile(app, open, form)
  const now = app.clock.now()
  const row = await app.db.transaction().execute(async (tx) => {
    // Locked: otherwise twenty concurrent uploads would each see enough room.
    await lockWorkspaces(tx, [who.workspaceId])
    await checkFits(tx, place, { size: form.size, now })
    return insertImport(tx, {
      ...{ id: newId(), ...place, folderId, state: 'uploading', createdAt: now, touchedAt: now },
      ...{ filename: form.filename, fingerprint: form.fingerprint, sizeBytes: form.size },
      claimedUntil: null,
    })
  })
  if (row !== undefined) return toImport(app, row)
  // Another tab started it first.
  const theirs = await findOpenImport(app.db, place)
  if (theirs === undefined) throw new AppError('IMPORT_OPEN')
  return sameFile(app, theirs, form)
}

const sameFile = (app: App, open: ImportRow, form: Form): Promise<MailImport> => {
  const { filename, fingerprint, sizeBytes } = open
  const isSame =
    filename === form.filename && fingerprint === form.fingerprint && sizeBytes === form.size
  if (!isSame) throw new AppError('IMPORT_OPEN', { data: { filename } })
  return toImport(app, open)
}

/**
 * Announced bytes count as stored. Abandoned uploads stay on disk until the sweep a day later and count too: together not
 * more than the free storage of the workspace.
 */
const checkFits = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  { size, now }: { size: number; now: Date },
): Promise<void> => {
  const [storage] = await storageOf(db, [mailboxId])
  if (storage === undefined) throw new AppError('NOT_EXISTS')
  const refuse = (message: string) => {
    throw new AppError('STORAGE_FULL', { message })
  }
  const taken = (storage.usedBytes ?? 0) + (await openImportBytes(db, workspaceId))
  if (taken + size > storage.quotaBytes) refuse('The workspace has no room for a file of this size')
  const givenUp = await cancelledImportBytes(db, workspaceId, secondsAfter(now, -DAY_SECONDS))
  if (givenUp + size > storage.quotaBytes)
    refuse('Too much was uploaded and cancelled today: try again tomorrow')
}

/**
 * Pieces must come in order; a repeated or early one changes nothing, and the answer says which is next.
 * @throws VALIDATION at `file` when it is not an mbox file; this ends the import.
 */
export const uploadPiece = async (
  app: App,
  who: Who,
  mailboxId: string,
  { importId, start, bytes }: { importId: string; start: number; bytes: Buffer },
): Promise<MailImport> => {
  const { place, row } = await findImport(app, who, mailboxId, importId)
  const rest = row.sizeBytes - start
  const isWanted = row.state === 'uploading' && row.receivedBytes === start
  if (!isWanted || bytes.length === 0) return toImport(app, row)
  if (bytes.length > rest || bytes.length > IMPORT_PIECE_BYTES)
    throw invalidField('file', 'This is not the file that the upload began with')
  if (start === 0 && !isMessageStart(bytes.subarray(0, 10_000))) {
    await endImport(app, row)
    throw invalidField('file', NO_MBOX)
  }
  const blob = await app.blobs.put(bytes)
  const now = app.clock.now()
  const saved = await app.db.transaction().execute(async (tx) => {
    const locked = await lockImport(tx, place, importId)
    if (locked === undefined) throw new AppError('NOT_EXISTS')
    if (locked.state !== 'uploading' || locked.receivedBytes !== start) return locked
    const sizeBytes = bytes.length
    await insertChunk(tx, { importId, startByte: start, sizeBytes, blob, ...place })
    const isWhole = sizeBytes === rest
    return changeImport(tx, locked, {
      ...{ receivedBytes: start + sizeBytes, touchedAt: now },
      ...(isWhole && { state: 'running' as const }),
    })
  })
  return toImport(app, saved)
}

const endImport = async (app: App, row: ImportRow): Promise<void> => {
  await app.db.transaction().execute(async (tx) => {
    await deleteChunks(tx, await changeImport(tx, row, { state: 'cancelled' }))
  })
}
