import { AppError, invalidField } from '#contract/errors.ts'
import { mailboxCan } from '#contract/mailboxes.ts'
import type { MessageSummary, Person } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { signingKeysOf } from '#server/features/domains/domain-keys.ts'
import { findVerifiedDomain } from '#server/features/domains/find-verified-domain.ts'
import { senderAddress } from '#server/features/mailboxes/addresses/own-addresses.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { dkimSign } from '#server/standards/dkim-sign.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { checkBrakes } from '../brakes/check-brakes.ts'
import { tellOfLimit } from '../brakes/tell-of-limit.ts'
import { lockMessage, markAnswered, touchFolder } from '../changes-store.ts'
import { checkRoom } from '../check-room.ts'
import { openMailbox } from '../mailbox-access.ts'
import { fileMessage, findMessage, type MessagePlace } from '../messages-store.ts'
import { toSummary } from '../reading/to-summary.ts'
import { digestLocal } from '../receive-message.ts'
import { shownName } from '../settings/shown-name.ts'
import {
  type ComposedForm,
  composeMessage,
  type Recipients,
  readRecipients,
} from './compose-message.ts'

export const MAX_MESSAGE_BYTES = 25_000_000
export const TOO_LARGE = 'A message may have 25 MB at most'

export type MessageForm = ComposedForm & { inReplyTo?: string | undefined; draft: boolean }
type OpenMailbox = Awaited<ReturnType<typeof openMailbox>>

/** Sends a message and keeps a copy in Sent, or saves it in Drafts: all of it or nothing. */
export const sendMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  form: MessageForm,
): Promise<MessageSummary> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const recipients = readRecipients(form, !form.draft)
  const sender = await senderAddress(app, mailbox, form.from)
  const domainName = sender.slice(sender.lastIndexOf('@') + 1)
  const domain = form.draft ? null : await sendingDomain(app, mailbox, domainName)
  const answered = await findAnswered(app, who, mailboxId, form.inReplyTo)
  const at = app.clock.now()
  const written = await composeMessage({
    form,
    from: {
      name: shownName(mailbox),
      address: sender,
    },
    recipients,
    answered,
    messageId: `${newId()}@${domainName}`,
    at,
  })
  const raw =
    domain === null
      ? written
      : dkimSign(written, domain.name, await signingKeysOf(app, domain.id), at)
  if (raw.length > MAX_MESSAGE_BYTES) throw invalidField('attachments', TOO_LARGE)
  await checkRoom(app, [mailboxId], raw.length)
  const isDraft = form.draft
  return keepAndQueue(app, mailbox, { mailFrom: sender, raw, recipients, answered, isDraft, at })
}

/** @throws MAILBOX_NOT_ACTIVE, DOMAIN_NOT_ACTIVE, SENDING_STOPPED: a domain that was once active sends while its ownership holds. */
const sendingDomain = async (app: App, mailbox: OpenMailbox, name: string) => {
  if (!mailboxCan.send(mailbox)) throw new AppError('MAILBOX_NOT_ACTIVE')
  const domain = await findVerifiedDomain(app, name)
  if (domain === null || domain.workspaceId !== mailbox.workspaceId || domain.activatedAt === null)
    throw new AppError('DOMAIN_NOT_ACTIVE')
  if (domain.isSendingStopped) throw new AppError('SENDING_STOPPED')
  return domain
}

const findAnswered = async (app: App, who: Who, mailboxId: string, id: string | undefined) => {
  if (id === undefined) return null
  const { workspaceId } = who
  const found = isId(id)
    ? await findMessage(app.db, { workspaceId, mailboxId, messageId: id })
    : undefined
  if (found === undefined) throw new AppError('NOT_EXISTS')
  return found
}

type Outgoing = {
  mailFrom: string
  raw: Buffer
  recipients: Recipients
  answered: { id: string; from: Person | null } | null
  isDraft: boolean
  at: Date
}

const keepAndQueue = async (
  app: App,
  mailbox: OpenMailbox,
  outgoing: Outgoing,
): Promise<MessageSummary> => {
  const { mailFrom, raw, recipients, answered, isDraft, at } = outgoing
  const { id: mailboxId, workspaceId } = mailbox
  const blob = await app.blobs.put(raw)
  const digest = { ...(await digestLocal(raw)), bcc: recipients.bcc }
  const id = newId()
  await app.db
    .transaction()
    .execute(async (tx) => {
      if (!isDraft) {
        const { to, cc, bcc } = recipients
        const addresses = [...to, ...cc, ...bcc].map(({ address }) => address)
        const answeredAddress = answered?.from?.address
        await checkBrakes(app, tx, mailbox, { recipients: addresses, answeredAddress })
        await enqueueMessage(app, tx, {
          workspaceId,
          mailboxId,
          sentMessageId: id,
          mailFrom,
          recipients: addresses,
          raw,
        })
      }
      const isFiled = await fileMessage(tx, {
        id,
        mailboxId,
        folderRole: isDraft ? 'drafts' : 'sent',
        blob,
        sizeBytes: raw.length,
        digest,
        isRead: true,
        isDraft,
        authentication: null,
        mailFrom,
        date: at,
      })
      if (!isFiled) throw new AppError('NOT_EXISTS')
      if (answered !== null && !isDraft)
        await noteAnswer(tx, { workspaceId, mailboxId, messageId: answered.id })
      await announceChange(tx, { topic: 'messages', workspaceId, mailboxId })
    })
    .catch((refusal: unknown) => tellOfLimit(app, mailbox, refusal))
  const sizeBytes = raw.length
  return toSummary({ ...digest, id, date: at, isRead: true, isStarred: false, sizeBytes })
}

/** Where it is now: it may have moved since it was opened. */
const noteAnswer = async (tx: Db, place: MessagePlace): Promise<void> => {
  const message = await lockMessage(tx, place)
  if (message === undefined) return
  const { modseq } = await touchFolder(tx, message.folderId, { messages: 0, unread: 0, uids: 0 })
  await markAnswered(tx, message.id, modseq)
}
