/** Files messages again that a mailbox had before, for a restore: no right to read the mailbox is asked. */
import type { App } from '#server/app.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { announceChange } from '#server/storage/notifications.ts'
import type { Place } from './bulk-store.ts'
import { keepKeywords } from './by-uid/keep-keywords.ts'
import { checkRoom, reserveRoom } from './check-room.ts'
import { fileForUid } from './message-queries.ts'
import { findOrMakeFolder } from './own-folders.ts'
import { digestLocal } from './receive-message.ts'

export type FormerMessage = {
  raw: Buffer
  /** Where it is put: a folder of the mailbox's own, made where it is missing. */
  folder: string
  isRead: boolean
  isStarred: boolean
  isAnswered: boolean
  keywords: string[]
  mailFrom: string
  date: Date
}

export type RefilingApp = Pick<App, 'db' | 'clock'> & { blobs: Pick<App['blobs'], 'put'> }

/** All of them or none; durable on return. @throws STORAGE_FULL, NOT_EXISTS */
export const refileMessages = async (
  app: RefilingApp,
  place: Place,
  messages: readonly FormerMessage[],
): Promise<void> => {
  const { workspaceId, mailboxId } = place
  const bytes = messages.reduce((sum, { raw }) => sum + raw.length, 0)
  await checkRoom(app, [mailboxId], bytes, messages.length)
  const prepared = await Promise.all(
    messages.map(async (message) => ({
      ...message,
      blob: await app.blobs.put(message.raw),
      digest: await digestLocal(message.raw, workspaceId),
    })),
  )
  await app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, mailboxId)
    await reserveRoom(tx, [mailboxId], bytes, messages.length)
    for (const { raw, folder, keywords, ...message } of prepared)
      await fileForUid(tx, {
        ...message,
        ...{ id: newId(), mailboxId, folderId: await findOrMakeFolder(tx, place, folder) },
        ...{ isDraft: false, authentication: null, sizeBytes: raw.length },
        keywords: await keepKeywords(tx, place, keywords),
        savedAt: app.clock.now(),
      })
    await announceChange(tx, { topic: 'messages', workspaceId, mailboxId })
  })
}
