import { AppError } from '#contract/errors.ts'
import type { changeMailboxSettings, MailboxSettings } from '#contract/mail/mailbox-settings.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { announceMailbox } from '#server/storage/notifications.ts'
import { openSettings } from './open-settings.ts'
import { readSettings, storeSettings } from './settings-store.ts'

type Change = Input<typeof changeMailboxSettings>['body']

export const getSettings = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<MailboxSettings> => {
  const settings = await readSettings(app.db, await openSettings(app, who, mailboxId))
  if (settings === undefined) throw new AppError('NOT_EXISTS')
  return settings
}

export const changeSettings = async (
  app: App,
  who: Who,
  mailboxId: string,
  change: Change,
): Promise<MailboxSettings> => {
  const place = await openSettings(app, who, mailboxId)
  if (Object.values(change).every((value) => value === undefined))
    return getSettings(app, who, mailboxId)
  return app.db.transaction().execute(async (tx) => {
    const settings = await storeSettings(tx, place, change)
    if (settings === undefined) throw new AppError('NOT_EXISTS')
    await announceMailbox(tx, place)
    return settings
  })
}
