/** Sends a message from the browser. It waits in the outbox as long as its writer chose, else UNDO_SECONDS, so that they can undo. */
import { AppError } from '#contract/errors.ts'
import type { Writing } from '#contract/mail/writing.ts'
import type { App } from '#server/app.ts'
import { readPreferences } from '#server/features/accounts/preferences/preference-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { becomeDraft, lockMessage } from '#server/features/messages/change-queries.ts'
import { findFolder } from '#server/features/messages/list-folders.ts'
import { findMessage } from '#server/features/messages/message-queries.ts'
import { takeBack } from '#server/features/outbox/enqueue-message.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { mailLimitAlert } from './brake-mails.ts'
import { refundSending } from './check-brakes.ts'
import { forgetContacts } from './contacts.ts'
import { putDraft } from './drafts-store.ts'
import { keepAndQueue, markOriginal } from './keep-message.ts'
import type { OpenMailbox } from './prepare-message.ts'
import { type PreparedWriting, prepareWriting } from './prepare-writing.ts'
import { draftPlace, draftRow, dropBlob, removeDraft, unlessRefused } from './save-draft.ts'
import { changeSend, findSend, insertSend, lockSend, type SendRow } from './sends-store.ts'

export type ToSend = Writing & { key: string }
export type SentWriting = { messageId: string; undoSeconds: number }

/** Sends once per key. @throws SEND_UNDONE when the message was taken back, and everything that `keepAndQueue` throws. */
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
  const own = await readPreferences(app.db, who.userId)
  const undoSeconds = own.undoSeconds ?? app.config.undoSeconds
  const prepared = await prepareWriting(app, mailbox, writing, false)
  const sending = app.db
    .transaction()
    .execute((tx) => sendOnce(app, tx, mailbox, { writing, prepared, undoSeconds }))
    .catch((refusal: unknown) => mailLimitAlert(app, mailbox, refusal))
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

type Prepared = { writing: ToSend; prepared: PreparedWriting; undoSeconds: number }

/** @returns the blob that no row refers to: the replaced draft's, or this message's when the key was already sent. */
const sendOnce = async (
  app: App,
  tx: Db,
  mailbox: OpenMailbox,
  { writing, prepared, undoSeconds }: Prepared,
): Promise<string | null> => {
  const { id: mailboxId, workspaceId } = mailbox
  const { stored, original, originalIds } = prepared
  const undoUntil = undoSeconds === 0 ? null : secondsAfter(stored.at, undoSeconds)
  const isFirst = await insertSend(tx, {
    ...{ mailboxId, workspaceId, key: writing.key, state: 'sent', createdAt: stored.at, undoUntil },
    ...{ messageId: null, outboxMessageId: null, sendingId: null, newCorrespondents: [] },
    ...{ originalId: null, originalMark: null },
  })
  if (!isFirst) return stored.blob
  let dropped: string | null = null
  let key = writing.draft
  const claimMessageId = async (): Promise<string> => {
    await lockMailOf(tx, mailboxId)
    const place = await draftPlace(tx, mailbox, { ...writing, save: writing.save + 1 })
    if (place.state === 'free' && place.message !== undefined) {
      dropped = await removeDraft(tx, mailbox, place.message, stored.at)
      return place.message.id
    }
    // The draft that another window saved under this key stays.
    if (place.state !== 'free') key = writing.key
    return newId()
  }
  const mark = originalIds.forwardOf === null ? 'answered' : 'forwarded'
  const sent = await keepAndQueue(app, tx, {
    ...{ ...stored, original, mark, claimMessageId },
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
 * Takes back a message that still waits in the outbox: it becomes a draft again, and none of it was sent.
 * For an unknown key, a later send with this key is refused.
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
    // Locked first, as in the deletion of a mailbox, which prevents deadlocks.
    await lockMailOf(tx, mailboxId)
    const send = await lockSend(tx, place, key)
    if (send === undefined) return { state: 'undone', messageId: null }
    const { state, messageId, outboxMessageId } = send
    if (state === 'undone') return { state, messageId }
    const isBack =
      isMeant && outboxMessageId !== null && (await takeBack(tx, who.workspaceId, outboxMessageId))
    if (!isBack) return { state: 'sent', messageId }
    await refundSending(tx, mailbox, send)
    await restoreDraft(tx, mailbox, send, app.clock.now())
    await changeSend(tx, place, key, { state: 'undone' })
    await announceChange(tx, { topic: 'messages', ...place })
    return { state: 'undone', messageId }
  })
}

const restoreDraft = async (
  tx: Db,
  mailbox: OpenMailbox,
  send: SendRow,
  at: Date,
): Promise<void> => {
  const { workspaceId, id: mailboxId } = mailbox
  const place = { workspaceId, mailboxId }
  const { messageId, originalId, originalMark } = send
  if (originalId !== null && originalMark !== null)
    await markOriginal(tx, { ...place, messageId: originalId }, originalMark, false)
  // The copy in Sent may have been deleted in the meantime.
  const message = messageId && (await findMessage(tx, { ...place, messageId }))
  if (!messageId || !message) return
  await forgetContacts(tx, mailbox, [...message.to, ...message.cc, ...message.bcc])
  const locked = await lockMessage(tx, { ...place, messageId })
  if (locked === undefined) return
  const drafts = await findFolder(tx, workspaceId, mailboxId, 'drafts')
  await becomeDraft(tx, { ...place, messageId }, locked, { draftsId: drafts.id, at })
}
