/** As whom a mail program may send, and to whom (decision 099). */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { type Sender, senderOf } from '#server/features/mailboxes/own-addresses.ts'
import { oneLine } from '#server/lib/plain-text.ts'
import { domainOf, localPartOf, parseRecipient } from '#server/standards/address.ts'
import type { HeaderLine } from '#server/standards/message-lines.ts'
import { authorsIn, type HeaderFault, headerFaultIn } from '#server/standards/submitted-message.ts'
import { type OpenMailbox, sendingDomain } from '../prepare-message.ts'

export type SendingAs = Sender & { domain: Awaited<ReturnType<typeof sendingDomain>> }

/** Each costs a look-up. */
const MOST_AUTHORS = 20

const notOwn = (address: string, email: string): AppError =>
  new AppError('FORBIDDEN', {
    message:
      address === ''
        ? `The sender is missing. Please send as ${email} or one of its aliases`
        : `${oneLine(address, 100)} is not an address of ${email}. Please send as ${email} or one of its aliases, or add this address as an alias`,
  })

/** @throws FORBIDDEN, MAILBOX_DELETED, MAILBOX_NOT_ACTIVE, DOMAIN_NOT_ACTIVE, SENDING_STOPPED */
export const sendingAs = async (
  app: App,
  mailbox: OpenMailbox,
  address: string,
): Promise<SendingAs> => {
  const sender = await senderOf(app, mailbox, address).catch((error: unknown) => {
    throw error instanceof AppError && error.type === 'VALIDATION'
      ? notOwn(address, mailbox.email)
      : error
  })
  return { ...sender, domain: await sendingDomain(app, sender.mailbox, domainOf(sender.address)) }
}

const faults: Record<HeaderFault, string> = {
  'no-field': 'The header of the message has a line that is no field',
  'no-from': 'The message has no From field that says who it is from',
  'several-from': 'The message has several From fields; it may have one',
  'several-sender': 'The message has several Sender fields; it may have one',
  unclear: 'The From or Sender field is unclear. Please write it as Name <address>',
}

/**
 * The first author, whom lists show. All authors are own addresses; or the first one and the Sender are, where a message has several
 * (RFC 5322 §3.6.2). @throws BAD_REQUEST, and what `sendingAs` throws
 */
export const authorOf = async (
  app: App,
  mailbox: OpenMailbox,
  headers: readonly HeaderLine[],
): Promise<SendingAs> => {
  const fault = headerFaultIn(headers)
  if (fault !== null) throw new AppError('BAD_REQUEST', { message: faults[fault] })
  const { from, sender } = authorsIn(headers)
  const [first = '', ...others] = from
  if (from.length > MOST_AUTHORS)
    throw new AppError('BAD_REQUEST', { message: `A message has at most ${MOST_AUTHORS} authors` })
  const author = await sendingAs(app, mailbox, first)
  const [only] = sender
  const hasOwnSender =
    others.length > 0 &&
    sender.length === 1 &&
    only !== undefined &&
    (await isOwn(app, mailbox, only))
  if (!hasOwnSender) for (const other of others) await sendingAs(app, mailbox, other)
  return author
}

const isOwn = (app: App, mailbox: OpenMailbox, address: string): Promise<boolean> =>
  senderOf(app, mailbox, address).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.type === 'VALIDATION') return false
      throw error
    },
  )

/** Asked before the message is sent over. @throws what `sendingAs` throws, and NOT_EXISTS */
export const checkSender = async (
  app: App,
  who: Who,
  mailboxId: string,
  mailFrom: string,
): Promise<void> => {
  await sendingAs(app, await openMailbox(app, who, mailboxId), mailFrom)
}

export type CheckedRecipient = { address: string } | { refused: 'no-address' | 'unknown' }

/** Of our own domains, only addresses that exist. */
export const checkRecipient = async (app: App, typed: string): Promise<CheckedRecipient> => {
  const found = await findRecipient(app, typed)
  if (found.kind === 'role' && found.workspaceId === null)
    return { address: `${localPartOf(typed) || typed}@${app.config.mailHost}`.toLowerCase() }
  const parsed = parseRecipient(typed)
  if (parsed === null) return { refused: 'no-address' }
  return found.kind === 'unknown' ? { refused: 'unknown' } : { address: parsed.address }
}
