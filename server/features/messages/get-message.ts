/** Opens one message. Does not mark it as read: pages call changeMessage for that. */
import { AppError } from '#contract/errors.ts'
import type { Storage } from '#contract/mail/mailbox-settings.ts'
import type { Message } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { storageOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openSettings } from '#server/features/mailboxes/mailbox-settings.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { isId } from '#server/lib/ids.ts'
import { bufferOf } from '#server/lib/threads/own-buffers.ts'
import { readOpened, readZip } from '#server/standards/reading/read-message.ts'
import type { OpenedBlob } from '#server/storage/blobs/file-parts.ts'
import { findMessage, sizesOfFolders } from './message-queries.ts'
import { readFiles } from './structures/read-files.ts'
import { folderName, toPerson, toSummary } from './to-summary.ts'

export const getMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<Message> => {
  return readMessage(app, who, await openMessage(app, who, mailboxId, messageId))
}

type OpenRow = Awaited<ReturnType<typeof openMessage>>

/** Of a message that the caller may read. */
export const readMessage = async (app: App, who: Who, row: OpenRow): Promise<Message> => {
  const opened = await readOpened(await app.blobs.get(row.blob), who.workspaceId)
  return {
    ...toSummary(row),
    folder: folderName({ id: row.folderId, role: row.folderRole }),
    cc: row.cc.map(toPerson),
    bcc: row.bcc.map(toPerson),
    ...opened,
    messageId: row.messageId,
    inReplyTo: row.inReplyTo,
    authentication: row.authentication,
    junk: row.junk,
  }
}

/** The message as it is stored, byte for byte. */
export const getRawMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<OpenedBlob> => app.blobs.open((await openMessage(app, who, mailboxId, messageId)).blob)

export const getAttachment = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
  n: number,
): Promise<File> => {
  const [file] = await getAttachments(app, who, mailboxId, messageId, [n])
  if (file === undefined) throw new AppError('NOT_EXISTS')
  return file
}

type File = { filename: string; contentType: string; content: Buffer }

/** Those at these positions. @throws NOT_EXISTS also when one of them is not there */
export const getAttachments = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
  positions: readonly number[],
): Promise<File[]> => {
  const row = await openMessage(app, who, mailboxId, messageId)
  const files = await readFiles(app, { workspaceId: who.workspaceId, mailboxId }, row, positions)
  if (files === null) throw new AppError('NOT_EXISTS')
  return files.map((file) => ({ ...file, content: bufferOf(file.content) }))
}

/** All attachments of a message in one archive. */
export const zipAttachments = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<Buffer> => {
  const { blob } = await openMessage(app, who, mailboxId, messageId)
  const zip = await readZip(await app.blobs.get(blob), who.workspaceId)
  if (zip === null) throw new AppError('NOT_EXISTS')
  return bufferOf(zip)
}

/** @throws NOT_EXISTS, FORBIDDEN like `openMailbox` */
export const openMessage = async (app: App, who: Who, mailboxId: string, messageId: string) => {
  await openMailbox(app, who, mailboxId)
  const row = isId(messageId)
    ? await findMessage(app.db, { workspaceId: who.workspaceId, mailboxId, messageId })
    : undefined
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return row
}

/** Checks that the caller may read the mailbox and that it has this message. @throws NOT_EXISTS, FORBIDDEN */
export const requireMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<void> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId, messageId }
  if (!isId(messageId) || !(await findMessage(app.db, place))) throw new AppError('NOT_EXISTS')
}

/** The storage that a mailbox and its folders use of their workspace. */
export const getStorage = async (app: App, who: Who, mailboxId: string): Promise<Storage> => {
  const place = await openSettings(app, who, mailboxId)
  const [[workspace], folders] = await Promise.all([
    storageOf(app.db, [mailboxId]),
    sizesOfFolders(app.db, place),
  ])
  if (workspace === undefined) throw new AppError('NOT_EXISTS')
  return {
    usedBytes: folders.reduce((sum, { bytes }) => sum + bytes, 0),
    workspaceBytes: workspace.usedBytes ?? 0,
    quotaBytes: workspace.quotaBytes,
    folders: folders.map(({ id, messageCount, ...folder }) => ({
      ...folder,
      _id: id,
      messages: messageCount,
    })),
  }
}
