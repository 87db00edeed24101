import { AppError } from '#contract/errors.ts'
import type { Storage } from '#contract/mail/mailbox-settings.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { storageOf } from '../access-store.ts'
import { openSettings } from './open-settings.ts'
import { sizesOfFolders } from './settings-store.ts'

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
