/**
 * Takes a message that a mail program wrote, under the rules of what is written in the browser (decision 099): the same senders, limits,
 * stops, signature and journey. On return it is durable.
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { signingKeysOf } from '#server/features/domains/domain-keys.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { checkRoom } from '#server/features/messages/check-room.ts'
import { findByMessageId } from '#server/features/messages/message-queries.ts'
import { digestLocal } from '#server/features/messages/receive-message.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf } from '#server/standards/address.ts'
import { receivedHere } from '#server/standards/message-headers.ts'
import { headerLinesOf } from '#server/standards/message-lines.ts'
import { bccField, completed, namedIn } from '#server/standards/submitted-message.ts'
import { signWritten } from '#server/standards/writing/write-large.ts'
import type { Db } from '#server/storage/database.ts'
import { mailLimitAlert } from '../brake-mails.ts'
import type { Recipients } from '../compose-message.ts'
import { fileWritten, keepAndQueue, type Stored } from '../keep-message.ts'
import type { OpenMailbox, Original } from '../prepare-message.ts'
import { dropBlob } from '../save-draft.ts'
import { findSubmitted } from './submitted-before.ts'
import { authorOf, sendingAs } from './submitting-as.ts'

/** `recipients` are as `checkRecipient` answered them. */
export type Submission = {
  /** Names it in its Received field. */
  id: string
  /** RFC 3848: ESMTPSA ... */
  protocol: string
  mailFrom: string
  recipients: readonly string[]
  raw: Buffer
}

/** `messageId`: the `_id` of the copy in Sent. `isRepeat`: it was taken before, and is not sent again. */
export type Submitted = { messageId: string; isRepeat: boolean }

/**
 * @throws FORBIDDEN with what to do, NOT_EXISTS, MAILBOX_DELETED, MAILBOX_NOT_ACTIVE, DOMAIN_NOT_ACTIVE, SENDING_STOPPED, STORAGE_FULL,
 * SENDING_LIMIT, MAILBOX_SENDING_STOPPED, BAD_REQUEST for a header that cannot be read surely
 */
export const submitMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  { id, protocol, mailFrom, recipients, raw }: Submission,
): Promise<Submitted> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const envelope = await sendingAs(app, mailbox, mailFrom)
  const headers = headerLinesOf(raw)
  const author = await authorOf(app, mailbox, headers)
  const at = app.clock.now()
  const { mailHost } = app.config
  const messageId = `${id}@${domainOf(author.address)}`
  const { message, bcc } = completed(raw, { messageId, mailHost, at })
  await checkRoom(app, [mailbox.id], message.length)
  const people = peopleOf(recipients, namedIn(headers, 'to'), namedIn(headers, 'cc'))
  const keys = await signingKeysOf(app, author.domain.id)
  const signing = { domain: author.domain.name, keys, at }
  const signed = Buffer.concat([
    // With an id of its own it is no other's blob: what is refused can be deleted at once.
    Buffer.from(receivedHere({ mailHost, protocol, id, at })),
    await signWritten(message, signing, mailbox.workspaceId),
  ])
  const hidden = bcc || bccField(people.bcc.map(({ address }) => address))
  const copy = hidden === '' ? signed : Buffer.concat([Buffer.from(hidden, 'latin1'), signed])
  const digest = { ...(await digestLocal(copy, mailbox.workspaceId)), bcc: people.bcc }
  // Lists show the first author.
  if (digest.from) await sendingAs(app, mailbox, digest.from.address)
  const sending = {
    ...{ mailbox, mailFrom: envelope.address, raw: signed, recipients: people, isDraft: false, at },
    ...{ digest, message },
  }
  const before = await findSubmitted(app, app.db, sending)
  if (before.repeated !== null) return { messageId: before.repeated, isRepeat: true }
  const blob = await app.blobs.put(signed)
  const kept = { blob: copy === signed ? blob : await app.blobs.put(copy), sizeBytes: copy.length }
  const original = await originalOf(app, mailbox, digest.inReplyTo)
  const stored = { ...sending, blob, copy: kept, original }
  try {
    return await app.db.transaction().execute((tx) => keepOnce(app, tx, stored))
  } catch (error) {
    if (error instanceof AppError || error instanceof Repeated)
      for (const each of new Set([blob, kept.blob])) await dropBlob(app, each)
    if (error instanceof Repeated) return { messageId: error.messageId, isRepeat: true }
    return mailLimitAlert(app, mailbox, error)
  }
}

type ToKeep = Stored & { message: Buffer; original: Original }

/** Whom one answers is no new recipient, and the answered message says so, as in the browser. */
const originalOf = async (
  app: App,
  { id: mailboxId, workspaceId }: OpenMailbox,
  inReplyTo: string | null,
): Promise<Original> =>
  inReplyTo === null ? undefined : findByMessageId(app.db, { workspaceId, mailboxId }, inReplyTo)

/** The client lost our answer and came back while the first one was being stored. */
class Repeated extends Error {
  readonly messageId: string
  constructor(messageId: string) {
    super('a message was handed in twice at once')
    this.messageId = messageId
  }
}

const keepOnce = async (app: App, tx: Db, stored: ToKeep): Promise<Submitted> => {
  let appended: string | null = null
  const { id } = await keepAndQueue(app, tx, {
    ...{ ...stored, mark: 'answered' as const },
    claimMessageId: async () => {
      await lockMailOf(tx, stored.mailbox.id)
      const before = await findSubmitted(app, tx, stored)
      if (before.repeated !== null) throw new Repeated(before.repeated)
      appended = before.appended
      return appended ?? newId()
    },
    file: async (_tx, messageId) => {
      if (appended === null) await fileWritten(tx, messageId, stored)
    },
  })
  return { messageId: id, isRepeat: false }
}

type Named = ReturnType<typeof namedIn>

/** The recipients of the envelope, as the header shows them: whom it does not show got a blind copy. */
const peopleOf = (recipients: readonly string[], to: Named, cc: Named): Recipients => {
  const people: Recipients = { to: [], cc: [], bcc: [] }
  for (const address of new Set(recipients)) {
    const [inTo, inCc] = [to.get(address), cc.get(address)]
    if (inTo) people.to.push(inTo)
    else if (inCc) people.cc.push(inCc)
    else people.bcc.push({ name: '', address })
  }
  return people
}
