/**
 * Announces new mail to open pages shortly after it is stored, once per mailbox. A NOTIFY within the transaction that stores
 * the mail would serialize these transactions: PostgreSQL commits one NOTIFY at a time. A crash loses only the announcement;
 * pages reload their list when they reconnect.
 */
import type { App } from '#server/app.ts'
import { announceChange } from '#server/storage/notifications.ts'

const WAIT_MS = 50

export const announceMailSoon = (
  app: App,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
): void => {
  const { unannouncedMail } = app
  const isFirst = unannouncedMail.size === 0
  unannouncedMail.set(mailboxId, { workspaceId, mailboxId })
  if (!isFirst) return
  setTimeout(() => {
    const changes = [...unannouncedMail.values()].map((each) => ({
      topic: 'messages' as const,
      ...each,
    }))
    unannouncedMail.clear()
    announceChange(app.db, ...changes).catch((error: unknown) =>
      app.log.debug({ err: error }, 'new mail could not be announced to open pages'),
    )
  }, WAIT_MS).unref()
}
