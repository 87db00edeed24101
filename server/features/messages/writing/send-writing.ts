/** Sends what was written in the browser. It waits for a while, so that it can be taken back (`undo-send.ts`). */
import { AppError } from '#contract/errors.ts'
import type { Writing } from '#contract/mail/writing.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { tellOfLimit } from '../brakes/tell-of-limit.ts'
import { lockMailboxRow } from '../changes-store.ts'
import { openMailbox } from '../mailbox-access.ts'
import { keepAndQueue } from '../sending/keep-message.ts'
import type { OpenMailbox } from '../sending/prepare-message.ts'
import { putDraft } from './drafts-store.ts'
import { type PreparedWriting, prepareWriting } from './prepare-writing.ts'
import { draftPlace, draftRow, dropBlob, removeDraft, unlessRefused } from './save-draft.ts'
import { changeSend, findSend, insertSend, type SendRow } from './sends-store.ts'

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
