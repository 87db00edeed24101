import { AppError, invalidField } from '#contract/errors.ts'
import type { changeMailboxSettings, MailboxSettings } from '#contract/mail/mailbox-settings.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { announceMailbox } from '#server/storage/notifications.ts'
import { mailboxOfSettings, openSettings } from './open-settings.ts'
import { readSettings, storeSettings } from './settings-store.ts'
import { holdsOtherAddress, OTHER_ADDRESS } from './shown-name.ts'

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

/** @throws VALIDATION, NOT_EXISTS, FORBIDDEN */
export const changeSettings = async (
  app: App,
  who: Who,
  mailboxId: string,
  change: Change,
): Promise<MailboxSettings> => {
  const { displayName } = change
  const { email } = await mailboxOfSettings(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  if (displayName !== undefined && holdsOtherAddress(displayName, email))
    throw invalidField('displayName', OTHER_ADDRESS)
  if (Object.values(change).every((value) => value === undefined))
    return getSettings(app, who, mailboxId)
  return app.db.transaction().execute(async (tx) => {
    const settings = await storeSettings(tx, place, change)
    if (settings === undefined) throw new AppError('NOT_EXISTS')
    await announceMailbox(tx, place)
    return settings
  })
}
