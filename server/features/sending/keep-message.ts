/** Files what was written in Drafts, or queues it and keeps a copy in Sent. All in the caller's transaction. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { lockMessage, touchFolder } from '#server/features/messages/changes-store.ts'
import { reserveRoom } from '#server/features/messages/check-room.ts'
import { setMark } from '#server/features/messages/marks-store.ts'
import { fileMessage, type MessagePlace } from '#server/features/messages/messages-store.ts'
import { digestLocal } from '#server/features/messages/receive-message.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type Counted, checkBrakes } from './check-brakes.ts'
import { noteContacts } from './contacts.ts'
import type { Original, Prepared } from './prepare-message.ts'

/** Durable, and read: `blob` may be named by a row. */
export type Stored = Prepared & { blob: string; digest: MessageDigest }

export const storeMessage = async (app: App, prepared: Prepared): Promise<Stored> => {
  const blob = await app.blobs.put(prepared.raw)
  const { raw, recipients, mailbox } = prepared
  const digest = { ...(await digestLocal(raw, mailbox.workspaceId)), bcc: recipients.bcc }
  return { ...prepared, blob, digest }
}

/** @throws STORAGE_FULL, NOT_EXISTS when the mailbox is gone. */
export const fileWritten = async (tx: Db, id: string, stored: Stored): Promise<void> => {
  const { mailbox, mailFrom, raw, isDraft, at, blob, digest } = stored
  await reserveRoom(tx, [mailbox.id], raw.length)
  const isFiled = await fileMessage(tx, {
    ...{ id, mailboxId: mailbox.id, folderRole: isDraft ? 'drafts' : 'sent', blob, digest },
    ...{ sizeBytes: raw.length, isRead: true, isDraft, authentication: null, mailFrom, date: at },
  })
  if (!isFiled) throw new AppError('NOT_EXISTS')
  const { id: mailboxId, workspaceId } = mailbox
  await announceChange(tx, { topic: 'messages', workspaceId, mailboxId })
}

export type ToSend = Stored & {
  original: Original
  mark: Mark
  /** Nothing goes out before; absent: at once. */
  notBefore?: Date
  /** Asked when the brakes let it: the `_id` of the copy in Sent. */
  takePlace: (tx: Db) => Promise<string>
}

export type Mark = 'answered' | 'forwarded'

/**
 * That a message was answered or passed on stands at it, wherever it is now.
 * @returns whether that was a change.
 */
export const markOriginal = async (
  tx: Db,
  place: MessagePlace,
  mark: Mark,
  isOn: boolean,
): Promise<boolean> => {
  const message = await lockMessage(tx, place)
  if (message === undefined) return false
  const { modseq } = await touchFolder(tx, message.folderId, { messages: 0, unread: 0, uids: 0 })
  return setMark(tx, place, mark, { isOn, modseq })
}

export type Sent = {
  id: string
  outboxMessageId: string
  counted: Counted
  /** Whether it was the first to answer, or pass on, its original. */
  isMarked: boolean
}

/** Who wrote to this mailbox. What was imported, or has a name that its domain disowns, says whatever one likes. */
const authorOf = (original: Original): string | undefined => {
  const { authentication, junk, from } = original ?? {}
  const cameHere = authentication ? authentication.dmarc !== 'fail' : junk != null
  return cameHere ? from?.address : undefined
}

/** @throws SENDING_LIMIT, MAILBOX_SENDING_STOPPED, NOT_EXISTS */
export const keepAndQueue = async (app: App, tx: Db, sending: ToSend): Promise<Sent> => {
  const { mailbox, recipients, original, mark, mailFrom, notBefore, takePlace } = sending
  const { raw, blob } = sending
  const { id: mailboxId, workspaceId } = mailbox
  const people = [...recipients.to, ...recipients.cc, ...recipients.bcc]
  const addresses = people.map(({ address }) => address)
  const answeredAddress = mark === 'answered' ? authorOf(original) : undefined
  const counted = await checkBrakes(app, tx, mailbox, { recipients: addresses, answeredAddress })
  const id = await takePlace(tx)
  const outboxMessageId = await enqueueMessage(app, tx, {
    ...{ workspaceId, mailboxId, sentMessageId: id, mailFrom, recipients: addresses },
    ...{ raw, blob },
    ...(notBefore && { notBefore }),
  })
  await fileWritten(tx, id, sending)
  await noteContacts(tx, mailbox, people, sending.at)
  const isMarked =
    original !== undefined &&
    (await markOriginal(tx, { workspaceId, mailboxId, messageId: original.id }, mark, true))
  return { id, outboxMessageId, counted, isMarked }
}
