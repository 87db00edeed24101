/** Brings back what was deleted for good, for 30 days: its bytes and its row are kept that long (decision 086). */
import { invalidField } from '#contract/errors.ts'
import type { DeletedMessage } from '#contract/mail/deleted-messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type FolderRow, foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { newId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'
import { applyChanges, type Place, selectMessages } from './bulk-store.ts'
import { keepKeywords } from './by-uid/keep-keywords.ts'
import { inMailbox } from './change-messages.ts'
import { reserveRoom } from './check-room.ts'
import { type DeletedRow, findDeleted, forgetKept, readDeleted } from './deleted-store.ts'
import { pickFolder } from './list-folders.ts'
import { fileForUid } from './message-queries.ts'
import { findOrMakeFolder } from './own-folders.ts'
import { digestLocal } from './receive-message.ts'
import { toPerson } from './to-summary.ts'

/** @throws NOT_EXISTS, FORBIDDEN, VALIDATION for a cursor that is none */
export const listDeletedMessages = async (
  app: App,
  who: Who,
  mailboxId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: DeletedMessage[]; nextCursor: string | null }> => {
  await openMailbox(app, who, mailboxId)
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'This is no cursor')
  const place = { workspaceId: who.workspaceId, mailboxId }
  const rows = await readDeleted(app.db, place, after, limit + 1)
  const { items, nextCursor } = pageOf(rows, limit, ({ at, messageId: id }) => ({ at, id }))
  return { items: items.map(toDeleted), nextCursor }
}

const toDeleted = ({ messageId, at, sizeBytes, kept }: DeletedRow): DeletedMessage => ({
  _id: messageId,
  subject: kept.subject,
  from: kept.from === null ? null : toPerson(kept.from),
  to: kept.to.map(toPerson),
  date: new Date(kept.date).toISOString(),
  deletedAt: at.toISOString(),
  size: sizeBytes,
  folder: kept.left_folder ?? '',
})

/** What somebody else brought back meanwhile is left out. @throws NOT_EXISTS, FORBIDDEN, STORAGE_FULL; then none comes back */
export const recoverMessages = async (
  app: App,
  who: Who,
  mailboxId: string,
  ids: readonly string[],
): Promise<{ recovered: number }> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const found = await findDeleted(app.db, place, ids)
  const digests = new Map<string, MessageDigest | null>()
  // One after another: a message may have 25 MB.
  for (const row of found.filter(({ isInTrash }) => !isInTrash))
    digests.set(row.messageId, await digestOf(app, who, row))
  return inMailbox(app, who, mailboxId, async (tx) => {
    // Again, now that nobody else can bring them back.
    const still = await findDeleted(tx, place, ids)
    const gone = still.flatMap((row) => {
      const digest = digests.get(row.messageId) ?? null
      return digest === null ? [] : [{ ...row, digest }]
    })
    const left = still.filter(({ isInTrash }) => isInTrash)
    const bytes = gone.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    await reserveRoom(tx, [mailboxId], bytes, gone.length)
    const folderFor = await foldersFor(tx, place)
    for (const row of gone)
      await fileAgain(app, tx, place, { ...row, folderId: await folderFor(row) })
    await forgetKept(
      tx,
      place,
      gone.map(({ messageId }) => messageId),
    )
    await takeOutOfTrash(app, tx, place, left)
    return { recovered: gone.length + left.length }
  })
}

type Gone = DeletedRow & { digest: MessageDigest }

const fileAgain = async (
  app: App,
  tx: Db,
  place: Place,
  { folderId, blob, sizeBytes, kept, digest }: Gone,
): Promise<void> => {
  const { mailboxId } = place
  await fileForUid(tx, {
    ...{ id: newId(), mailboxId, folderId, blob, digest, sizeBytes },
    ...{ isRead: kept.is_read, isStarred: kept.is_starred, isAnswered: kept.is_answered },
    ...{ isDraft: kept.is_draft, authentication: null, mailFrom: kept.mail_from },
    keywords: await keepKeywords(tx, place, kept.keywords),
    ...{ date: new Date(kept.date), savedAt: app.clock.now() },
  })
}

/** Where each comes to: the folder that it lost, which is made again where it is gone, or else the one that it was in. */
const foldersFor = async (
  tx: Db,
  place: Place,
): Promise<(row: Pick<DeletedRow, 'folderId' | 'kept'>) => Promise<string>> => {
  const folders = await foldersOf(tx, place.workspaceId, place.mailboxId)
  const byName = new Map<string, string>()
  return async ({ folderId, kept: { left_folder: name } }) => {
    if (!name) return targetOf(folders, folderId)
    const id = byName.get(name) ?? (await findOrMakeFolder(tx, place, name))
    byName.set(name, id)
    return id
  }
}

/** Into the folder that each had. */
const takeOutOfTrash = async (
  app: App,
  tx: Db,
  place: Place,
  left: readonly DeletedRow[],
): Promise<void> => {
  for (const [name, rows] of Map.groupBy(left, ({ kept }) => kept.left_folder ?? '')) {
    const folderId = await findOrMakeFolder(tx, place, name)
    const messageIds = rows.map(({ messageId }) => messageId)
    const found = await selectMessages(tx, place, { messageIds })
    const changes = found.map((before) => ({ before, after: { ...before, folderId } }))
    await applyChanges(tx, changes, app.clock.now())
  }
}

/** null: its bytes are lost. */
const digestOf = async (
  app: App,
  { workspaceId }: Who,
  { blob }: DeletedRow,
): Promise<MessageDigest | null> => {
  try {
    return await digestLocal(await app.blobs.get(blob), workspaceId)
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}

/** From Trash and Junk, and from a folder that has gone, it comes to the Inbox. */
const targetOf = (folders: readonly FolderRow[], folderId: string): string => {
  const left = folders.find(({ id }) => id === folderId)
  const isGone = left === undefined || left.role === 'trash' || left.role === 'junk'
  return isGone ? pickFolder(folders, 'inbox').id : left.id
}
