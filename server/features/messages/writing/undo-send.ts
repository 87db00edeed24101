/** Takes a message back that still waits in the outbox: it is a draft again, and nothing of it was ever sent. */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { takeBack } from '#server/features/outbox/take-back.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { uncount } from '../brakes/uncount.ts'
import { lockMailboxRow, lockMessage, touchFolder } from '../changes-store.ts'
import { openMailbox } from '../mailbox-access.ts'
import { findMessage } from '../messages-store.ts'
import { findFolder } from '../reading/list-folders.ts'
import { forgetContacts } from '../sending/contacts/note-contacts.ts'
import { markOriginal } from '../sending/mark-original.ts'
import type { OpenMailbox } from '../sending/prepare-message.ts'
import { becomeDraft } from './drafts-store.ts'
import { changeSend, insertSend, lockSend, type SendRow } from './sends-store.ts'

export type Undone = { state: 'undone' | 'sent'; messageId: string | null }

/** A key that never arrived sends nothing any more, should it still come. */
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
