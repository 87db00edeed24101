/** Files a message in Drafts, or queues it and files a copy in Sent, in the caller's transaction. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { lockMessage, setMark } from '#server/features/messages/change-queries.ts'
import { reserveRoom } from '#server/features/messages/check-room.ts'
import { fileMessage, type MessagePlace } from '#server/features/messages/message-queries.ts'
import { digestLocal } from '#server/features/messages/receive-message.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type Counted, checkBrakes } from './check-brakes.ts'
import { noteContacts } from './contacts.ts'
import type { Original, Prepared } from './prepare-message.ts'

/** Stored durably and parsed: a row may refer to `blob`. */
export type Stored = Prepared & {
  blob: string
  digest: MessageDigest
  /** The sender's own copy, where it has other bytes. `digest` is of these. */
  copy?: { blob: string; sizeBytes: number }
}

export const storeMessage = async (app: App, prepared: Prepared): Promise<Stored> => {
  const blob = await app.blobs.put(prepared.raw)
  const { raw, recipients, mailbox } = prepared
  const digest = { ...(await digestLocal(raw, mailbox.workspaceId)), bcc: recipients.bcc }
  return { ...prepared, blob, digest }
}

/** @throws STORAGE_FULL, NOT_EXISTS when the mailbox is gone. */
export const fileWritten = async (tx: Db, id: string, stored: Stored): Promise<void> => {
  const { mailbox, mailFrom, raw, isDraft, at, digest } = stored
  const { blob, sizeBytes } = stored.copy ?? { blob: stored.blob, sizeBytes: raw.length }
  await reserveRoom(tx, [mailbox.id], sizeBytes)
  const isFiled = await fileMessage(tx, {
    ...{ id, mailboxId: mailbox.id, folderRole: isDraft ? 'drafts' : 'sent', blob, digest },
    ...{ sizeBytes, isRead: true, isDraft, authentication: null, mailFrom, date: at },
    savedAt: at,
  })
  if (!isFiled) throw new AppError('NOT_EXISTS')
  const { id: mailboxId, workspaceId } = mailbox
  await announceChange(tx, { topic: 'messages', workspaceId, mailboxId })
}

export type ToSend = Stored & {
  original: Original
  mark: Mark
  /** The earliest time of delivery; absent: at once. */
  notBefore?: Date
  /** Returns the `_id` for the copy in Sent. Called after the limits accepted the message. */
  claimMessageId: (tx: Db) => Promise<string>
  /** Absent: files the copy in Sent. */
  file?: (tx: Db, id: string) => Promise<void>
}

export type Mark = 'answered' | 'forwarded'

/**
 * Marks a message as answered or forwarded, in whatever folder it is, or removes the mark.
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
  /** true: this message set the mark 'answered' or 'forwarded' on its original. */
  isMarked: boolean
}

/** The author, if the message was received here and did not fail DMARC: the From of imported mail can be invented. */
const authorOf = (original: Original): string | undefined => {
  const { authentication, junk, from } = original ?? {}
  const cameHere = authentication ? authentication.dmarc !== 'fail' : junk != null
  return cameHere ? from?.address : undefined
}

/** @throws SENDING_LIMIT, MAILBOX_SENDING_STOPPED, NOT_EXISTS */
export const keepAndQueue = async (app: App, tx: Db, sending: ToSend): Promise<Sent> => {
  const { mailbox, recipients, original, mark, mailFrom, notBefore, claimMessageId } = sending
  const { raw, blob } = sending
  const { id: mailboxId, workspaceId } = mailbox
  const people = [...recipients.to, ...recipients.cc, ...recipients.bcc]
  const addresses = people.map(({ address }) => address)
  const answeredAddress = mark === 'answered' ? authorOf(original) : undefined
  const counted = await checkBrakes(app, tx, mailbox, { recipients: addresses, answeredAddress })
  const id = await claimMessageId(tx)
  const outboxMessageId = await enqueueMessage(app, tx, {
    ...{ workspaceId, mailboxId, sentMessageId: id, mailFrom, recipients: addresses },
    ...{ raw, blob },
    ...(notBefore && { notBefore }),
  })
  await (sending.file?.(tx, id) ?? fileWritten(tx, id, sending))
  await noteContacts(tx, mailbox, people, sending.at)
  const isMarked =
    original !== undefined &&
    (await markOriginal(tx, { workspaceId, mailboxId, messageId: original.id }, mark, true))
  return { id, outboxMessageId, counted, isMarked }
}
