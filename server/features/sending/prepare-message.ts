/** Composes the bytes of a message from a form; stores nothing. */

import { AppError, invalidField } from '#contract/errors.ts'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import { mailboxCan } from '#contract/mailboxes.ts'

import type { App } from '#server/app.ts'
import { signingKeysOf } from '#server/features/domains/domain-keys.ts'
import { findVerifiedDomain } from '#server/features/domains/find-domain.ts'
import { senderName } from '#server/features/mailboxes/mailbox-settings.ts'
import type { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { type Sender, senderOf } from '#server/features/mailboxes/own-addresses.ts'
import { checkRoom } from '#server/features/messages/check-room.ts'
import type { findMessage } from '#server/features/messages/message-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf } from '#server/standards/address.ts'
import {
  type ComposedForm,
  composeMessage,
  type Recipients,
  readRecipients,
} from './compose-message.ts'

export const TOO_LARGE = 'A message may have 25 MB at most'

export type OpenMailbox = Awaited<ReturnType<typeof openMailbox>>
export type Original = Awaited<ReturnType<typeof findMessage>>

export type ToPrepare = {
  mailbox: OpenMailbox
  form: ComposedForm
  /** The message that this one answers. */
  answered: Original
  isDraft: boolean
}

export type Prepared = {
  mailbox: OpenMailbox
  mailFrom: string
  raw: Buffer
  recipients: Recipients
  isDraft: boolean
  at: Date
}

/** @throws VALIDATION, STORAGE_FULL; unless a draft also MAILBOX_DELETED, MAILBOX_NOT_ACTIVE, DOMAIN_NOT_ACTIVE, SENDING_STOPPED */
export const prepareMessage = async (app: App, given: ToPrepare): Promise<Prepared> => {
  const { mailbox, form, answered, isDraft } = given
  const recipients = readRecipients(form, !isDraft)
  const { mailbox: sender, address: mailFrom } = await senderOf(app, mailbox, form.from)
  const domainName = domainOf(mailFrom)
  const domain = isDraft ? null : await sendingDomain(app, sender, domainName)
  const at = app.clock.now()
  const keys = domain === null ? [] : await signingKeysOf(app, domain.id)
  const raw = await composeMessage({
    form,
    from: { name: senderName(sender), address: mailFrom },
    recipients,
    answered: answered ?? null,
    messageId: `${newId()}@${domainName}`,
    at,
    signing: domain && { domain: domain.name, keys, at },
    by: mailbox.workspaceId,
  })
  if (raw.length > MAX_MESSAGE_BYTES) throw invalidField('attachments', TOO_LARGE)
  await checkRoom(app, [mailbox.id], raw.length)
  return { mailbox, mailFrom, raw, recipients, isDraft, at }
}

/**
 * A domain that was active once may send as long as its ownership is proven.
 * @throws MAILBOX_DELETED, MAILBOX_NOT_ACTIVE, DOMAIN_NOT_ACTIVE, SENDING_STOPPED
 */
export const sendingDomain = async (
  app: App,
  mailbox: Pick<Sender['mailbox'], 'status' | 'workspaceId' | 'endsAt'>,
  name: string,
) => {
  if (mailbox.endsAt !== null) throw new AppError('MAILBOX_DELETED')
  if (!mailboxCan.send(mailbox)) throw new AppError('MAILBOX_NOT_ACTIVE')
  const domain = await findVerifiedDomain(app, name)
  if (domain === null || domain.workspaceId !== mailbox.workspaceId || domain.activatedAt === null)
    throw new AppError('DOMAIN_NOT_ACTIVE')
  if (domain.isSendingStopped) throw new AppError('SENDING_STOPPED')
  return domain
}
