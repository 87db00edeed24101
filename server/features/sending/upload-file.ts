/** Files for drafts: uploaded once, named in every save, and deleted when no draft uses them. */

import { AppError, invalidField } from '#contract/errors.ts'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import { MAX_UPLOAD_BYTES, type Upload } from '#contract/mail/writing.ts'

import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { checkRoom } from '#server/features/messages/check-room.ts'
import { getAttachments } from '#server/features/messages/get-message.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { isId, newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { TOO_LARGE as TOO_LARGE_TOGETHER } from './prepare-message.ts'
import { insertUploads, markRemoved, type UploadRow, uploadedBytes } from './uploads-store.ts'

const TOO_LARGE = 'A file may have 18 MB at most'
/** Limit per mailbox for uploads of unsent messages. */
const MAX_WAITING_BYTES = 500_000_000

type File = { filename: string; contentType: string; content: Buffer }

/** @throws VALIDATION, STORAGE_FULL */
export const uploadFile = async (
  app: App,
  who: Who,
  mailboxId: string,
  file: File,
): Promise<Upload> => {
  await openMailbox(app, who, mailboxId)
  const [stored] = await store(app, who.workspaceId, mailboxId, [file])
  return stored as Upload
}

/** Copies attachments for a forward on the server, so that they need not go through the browser. */
export const copyAttachments = async (
  app: App,
  who: Who,
  mailboxId: string,
  { messageId, parts }: { messageId: string; parts: number[] },
): Promise<Upload[]> => {
  const files = await getAttachments(app, who, mailboxId, messageId, [...new Set(parts)])
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  // Together they are too large for any message.
  if (bytes > MAX_MESSAGE_BYTES) throw invalidField('parts', TOO_LARGE_TOGETHER)
  return store(app, who.workspaceId, mailboxId, files)
}

export const removeUpload = async (
  app: App,
  who: Who,
  mailboxId: string,
  uploadId: string,
): Promise<{ message: string }> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  if (!isId(uploadId) || !(await markRemoved(app.db, place, uploadId, app.clock.now())))
    throw new AppError('NOT_EXISTS')
  return { message: 'Removed' }
}

const store = async (
  app: App,
  workspaceId: string,
  mailboxId: string,
  files: readonly File[],
): Promise<Upload[]> => {
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  if (files.some(({ content }) => content.length > MAX_UPLOAD_BYTES))
    throw invalidField('content', TOO_LARGE)
  const place = { workspaceId, mailboxId }
  // Checked before anything is written, and again when the room is reserved.
  await checkWaiting(app.db, place, bytes)
  const createdAt = app.clock.now()
  const rows: UploadRow[] = []
  for (const { filename, contentType, content } of files)
    rows.push({
      ...{ id: newId(), workspaceId, mailboxId, createdAt, filename, contentType },
      ...{ blob: await app.blobs.put(content), sizeBytes: content.length },
      removedAt: null,
    })
  await app.db.transaction().execute(async (tx) => {
    await lockWorkspaces(tx, [workspaceId])
    await checkWaiting(tx, place, bytes)
    await insertUploads(tx, rows)
  })
  return rows.map(toUpload)
}

/** @throws STORAGE_FULL */
const checkWaiting = async (
  db: Db,
  place: { workspaceId: string; mailboxId: string },
  bytes: number,
): Promise<void> => {
  const { own, all } = await uploadedBytes(db, place)
  if (own + bytes > MAX_WAITING_BYTES) throw new AppError('STORAGE_FULL')
  await checkRoom({ db }, [place.mailboxId], all + bytes)
}

export const toUpload = ({ id, filename, contentType, sizeBytes }: UploadRow): Upload => ({
  _id: id,
  filename,
  contentType,
  size: sizeBytes,
})
