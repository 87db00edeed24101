import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { storageOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'

/** Of the mailbox's workspace, all mailboxes together. @throws NOT_EXISTS, FORBIDDEN */
export const readStorage = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<{ usedBytes: number; quotaBytes: number }> => {
  await openMailbox(app, who, mailboxId)
  const [storage] = await storageOf(app.db, [mailboxId])
  return { usedBytes: storage?.usedBytes ?? 0, quotaBytes: storage?.quotaBytes ?? 0 }
}
