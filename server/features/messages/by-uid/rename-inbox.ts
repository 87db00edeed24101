/** Renaming the Inbox moves its messages into a new folder, and the Inbox stays (RFC 9051 §6.3.6). */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { pickFolder } from '../list-folders.ts'
import { createFolder } from '../own-folders.ts'
import { openFolder } from './open-folder.ts'
import { moveMessages } from './place-messages.ts'

/** Folders inside the Inbox stay, too. @throws NOT_EXISTS, FORBIDDEN, VALIDATION for a name that cannot be */
export const renameInbox = async (
  app: App,
  who: Who,
  mailboxId: string,
  name: string,
): Promise<void> => {
  const { _id: target } = await createFolder(app, who, mailboxId, name)
  const { id } = pickFolder(await foldersOf(app.db, who.workspaceId, mailboxId), 'inbox')
  const { uids } = await openFolder(app, who, mailboxId, { folderId: id })
  await moveMessages(app, who, { mailboxId, folderId: id }, [...uids], target)
}
