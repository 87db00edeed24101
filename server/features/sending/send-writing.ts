/** Sends what was written in the browser. It waits for a while, so that it can be taken back. */
import { AppError } from '#contract/errors.ts'
import type { Writing } from '#contract/mail/writing.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import {
  lockMailboxRow,
  lockMessage,
  touchFolder,
} from '#server/features/messages/changes-store.ts'
import { findFolder } from '#server/features/messages/list-folders.ts'
import { findMessage } from '#server/features/messages/messages-store.ts'
import { takeBack } from '#server/features/outbox/enqueue-message.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { tellOfLimit } from './brake-mails.ts'
import { uncount } from './check-brakes.ts'
import { forgetContacts } from './contacts.ts'
import { becomeDraft, putDraft } from './drafts-store.ts'
import { keepAndQueue, markOriginal } from './keep-message.ts'
import type { OpenMailbox } from './prepare-message.ts'
import { type PreparedWriting, prepareWriting } from './prepare-writing.ts'
import { draftPlace, draftRow, dropBlob, removeDraft, unlessRefused } from './save-draft.ts'
import { changeSend, findSend, insertSend, lockSend, type SendRow } from './sends-store.ts'

export type ToSend = Writing & { key: string }
export type SentWriting = { messageId: string; undoSeconds: number }

/** The same key sends once. @throws SEND_UNDONE when it was taken back or stopped, and all that sending throws. */
export const sendWriting = async (
  app: App,
  who: Who,
  mailboxId: string,
  writing: ToSend,
): Promise<SentWriting> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const earlier = await findSend(app.db, place, writing.key)
  if (earlier !== undefined) return answerOf(app, earlier)
  const prepared = await prepareWriting(app, mailbox, writing, false)
  const sending = app.db
    .transaction()
    .execute((tx) => sendOnce(app, tx, mailbox, writing, prepared))
    .catch((refusal: unknown) => tellOfLimit(app, mailbox, refusal))
  const dropped = await unlessRefused(app, prepared, sending)
  await dropBlob(app, dropped)
  const sent = await findSend(app.db, place, writing.key)
  if (sent === undefined) throw new AppError('NOT_EXISTS')
  return answerOf(app, sent)
}

const answerOf = (app: App, { state, messageId, undoUntil }: SendRow): SentWriting => {
  if (state === 'undone' || messageId === null) throw new AppError('SEND_UNDONE')
  const leftMs = (undoUntil?.getTime() ?? 0) - app.clock.now().getTime()
  return { messageId, undoSeconds: Math.max(0, Math.ceil(leftMs / 1000)) }
}

/** @returns the blob that no row names: of the draft that is no more, or of what was sent before. */
const sendOnce = async (
  app: App,
  tx: Db,
  mailbox: OpenMailbox,
  writing: ToSend,
  prepared: PreparedWriting,
): Promise<string | null> => {
  const { id: mailboxId, workspaceId } = mailbox
  const { stored, original, originalIds } = prepared
  const { undoSeconds } = app.config
  const undoUntil = undoSeconds === 0 ? null : secondsAfter(stored.at, undoSeconds)
  const isFirst = await insertSend(tx, {
    ...{ mailboxId, workspaceId, key: writing.key, state: 'sent', createdAt: stored.at, undoUntil },
    ...{ messageId: null, outboxMessageId: null, sendingId: null, newCorrespondents: [] },
    ...{ originalId: null, originalMark: null },
  })
  if (!isFirst) return stored.blob
  let dropped: string | null = null
  let key = writing.draft
  const takePlace = async (): Promise<string> => {
    await lockMailboxRow(tx, mailboxId)
    const place = await draftPlace(tx, mailbox, { ...writing, save: writing.save + 1 })
    if (place.state === 'free' && place.message !== undefined) {
      dropped = await removeDraft(tx, mailbox, place.message)
      return place.message.id
    }
    // What another window saved under this key stays a draft.
    if (place.state !== 'free') key = writing.key
    return newId()
  }
  const mark = originalIds.forwardOf === null ? 'answered' : 'forwarded'
  const sent = await keepAndQueue(app, tx, {
    ...{ ...stored, original, mark, takePlace },
    ...(undoUntil && { notBefore: undoUntil }),
  })
  const row = draftRow(mailbox, { ...writing, draft: key }, prepared, sent.id)
  await putDraft(tx, { ...row, unfinished: '{}' })
  await changeSend(tx, { workspaceId, mailboxId }, writing.key, {
    ...{ messageId: sent.id, outboxMessageId: sent.outboxMessageId, ...sent.counted },
    originalId: sent.isMarked && original ? original.id : null,
    originalMark: sent.isMarked ? mark : null,
  })
  return dropped
}

export type Undone = { state: 'undone' | 'sent'; messageId: string | null }

/**
 * Takes a message back that still waits in the outbox: it is a draft again, and nothing of it was ever sent.
 * A key that never arrived sends nothing any more, should it still come.
 */
export const undoSend = async (
  app: App,
  who: Who,
  mailboxId: string,
  { key, takeBack: isMeant }: { key: string; takeBack: boolean },
): Promise<Undone> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const isStopped = await insertSend(app.db, {
    ...{ ...place, key, state: 'undone', createdAt: app.clock.now(), undoUntil: null },
    ...{ messageId: null, outboxMessageId: null, sendingId: null, newCorrespondents: [] },
    ...{ originalId: null, originalMark: null },
  })
  if (isStopped) return { state: 'undone', messageId: null }
  return app.db.transaction().execute(async (tx): Promise<Undone> => {
    // First, as everybody else: who deletes a mailbox locks it before what is in it.
    await lockMailboxRow(tx, mailboxId)
    const send = await lockSend(tx, place, key)
    if (send === undefined) return { state: 'undone', messageId: null }
    const { state, messageId, outboxMessageId } = send
    if (state === 'undone') return { state, messageId }
    const isBack =
      isMeant && outboxMessageId !== null && (await takeBack(tx, who.workspaceId, outboxMessageId))
    if (!isBack) return { state: 'sent', messageId }
    await uncount(tx, mailbox, send)
    await restoreDraft(tx, mailbox, send)
    await changeSend(tx, place, key, { state: 'undone' })
    await announceChange(tx, { topic: 'messages', ...place })
    return { state: 'undone', messageId }
  })
}

const restoreDraft = async (tx: Db, mailbox: OpenMailbox, send: SendRow): Promise<void> => {
  const { workspaceId, id: mailboxId } = mailbox
  const place = { workspaceId, mailboxId }
  const { messageId, originalId, originalMark } = send
  if (originalId !== null && originalMark !== null)
    await markOriginal(tx, { ...place, messageId: originalId }, originalMark, false)
  // Somebody may have deleted it for good in these seconds.
  const message = messageId && (await findMessage(tx, { ...place, messageId }))
  if (!messageId || !message) return
  await forgetContacts(tx, mailbox, [...message.to, ...message.cc, ...message.bcc])
  const locked = await lockMessage(tx, { ...place, messageId })
  if (locked === undefined) return
  const drafts = await findFolder(tx, workspaceId, mailboxId, 'drafts')
  const unread = locked.isRead ? 0 : -1
  await touchFolder(tx, locked.folderId, { messages: -1, unread, uids: 0 })
  const { uid, modseq } = await touchFolder(tx, drafts.id, { messages: 1, unread: 0, uids: 1 })
  await becomeDraft(tx, place, messageId, { folderId: drafts.id, uid, modseq })
}
