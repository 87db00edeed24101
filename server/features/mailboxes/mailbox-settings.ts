import { AppError, invalidField } from '#contract/errors.ts'
import type { changeMailboxSettings, MailboxSettings } from '#contract/mail/mailbox-settings.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { announceMailbox } from '#server/storage/notifications.ts'
import { findReadable } from './mailbox-queries.ts'
import { type Place, readSettings, storeSettings } from './mailboxes-store.ts'

type Change = Input<typeof changeMailboxSettings>['body']

export const getSettings = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<MailboxSettings> => {
  const mailbox = await mailboxOfSettings(app, who, mailboxId)
  const settings = await readSettings(app.db, { workspaceId: who.workspaceId, mailboxId })
  if (settings === undefined) throw new AppError('NOT_EXISTS')
  return { ...settings, canChange: maySpeak(who, mailbox) }
}

const maySpeak = (who: Who, { canSend }: { canSend: boolean | null }): boolean =>
  canSend === true || memberCan(who.role, 'manage-mailboxes')

/**
 * Settings are open to readers of the mailbox and to members who may manage mailboxes (a reader may be ill). They show no
 * messages.
 * @throws NOT_EXISTS, FORBIDDEN
 */
export const openSettings = async (app: App, who: Who, mailboxId: string): Promise<Place> => {
  await mailboxOfSettings(app, who, mailboxId)
  return { workspaceId: who.workspaceId, mailboxId }
}

const NO_SPEAKING =
  'You may read this mailbox, but not send from it. So you cannot change its name, its signature or its automatic reply'

/**
 * Name, signature and automatic reply speak for the mailbox: changing them takes the right to send as it (decision 057), or to
 * manage mailboxes. Returns the mailbox.
 * @throws NOT_EXISTS, FORBIDDEN
 */
export const openToSpeak = async (app: App, who: Who, mailboxId: string) => {
  const mailbox = await mailboxOfSettings(app, who, mailboxId)
  if (!maySpeak(who, mailbox)) throw new AppError('FORBIDDEN', { message: NO_SPEAKING })
  return mailbox
}

/** Returns the mailbox. @throws NOT_EXISTS, FORBIDDEN */
const mailboxOfSettings = async (app: App, who: Who, mailboxId: string) => {
  const mailbox = isId(mailboxId)
    ? await findReadable(app.db, who, mailboxId, app.clock.now())
    : undefined
  if (mailbox === undefined) throw new AppError('NOT_EXISTS')
  if (mailbox.readerId === null && !memberCan(who.role, 'manage-mailboxes'))
    throw new AppError('FORBIDDEN')
  return mailbox
}

/** @throws VALIDATION, NOT_EXISTS, FORBIDDEN */
export const changeSettings = async (
  app: App,
  who: Who,
  mailboxId: string,
  change: Change,
): Promise<MailboxSettings> => {
  const { displayName } = change
  const { email } = await openToSpeak(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  if (displayName !== undefined && holdsOtherAddress(displayName, email))
    throw invalidField('displayName', OTHER_ADDRESS)
  if (Object.values(change).every((value) => value === undefined))
    return getSettings(app, who, mailboxId)
  return app.db.transaction().execute(async (tx) => {
    const settings = await storeSettings(tx, place, change)
    if (settings === undefined) throw new AppError('NOT_EXISTS')
    await announceMailbox(tx, place)
    return { ...settings, canChange: true }
  })
}

export const OTHER_ADDRESS =
  'A name that holds another address misleads recipients. Leave the address out'

type Mailbox = { email: string; displayName: string; firstName: string; lastName: string }

/** The name for From; '' when it contains another address, since recipients would take that for the sender's. */
export const senderName = (mailbox: Mailbox): string => {
  const name = mailbox.displayName || `${mailbox.firstName} ${mailbox.lastName}`.trim()
  return holdsOtherAddress(name, mailbox.email) ? '' : name
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu
const dots = /[\u3002\uff61]/g
/** Longer than real addresses are, but bounded, so that matching takes linear time. */
const addresses = /([^\s@<>()",;:[\]]{1,64})\s{0,3}@\s{0,3}([^\s@<>()",;:[\]]{1,255})/gu

/** Whether the name contains a mail address other than `own`, also in full-width characters. */
export const holdsOtherAddress = (name: string, own: string): boolean => {
  const plain = name.normalize('NFKC').replace(invisible, '').replace(dots, '.').toLowerCase()
  return [...plain.matchAll(addresses)].some(
    ([, local, domain = '']) => domain.includes('.') && `${local}@${domain}` !== own.toLowerCase(),
  )
}
