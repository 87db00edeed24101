/** COPY, MOVE and EXPUNGE (RFC 9051 §6.4.3, §6.4.7, §6.4.8). */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { addUsedBytes } from '#server/features/mailboxes/mailbox-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { applyChanges, removeMessages } from '../bulk-store.ts'
import { reserveRoom } from '../check-room.ts'
import { learnFromMany } from '../learn-from.ts'
import { insertCopies, messagesToEnd, messagesToPlace, uidsOfMessages } from './copy-store.ts'
import { type FolderAt, inFolder, requireFolder } from './in-folder.ts'

/** `from`: in the folder of before; `to`: in the target. */
export type UidPair = { from: number; to: number }

/** In the order of uids; messages that are gone are left out. @throws NOT_EXISTS, FORBIDDEN, STORAGE_FULL */
export const copyMessages = (
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
  targetId: string,
): Promise<UidPair[]> =>
  inFolder(app, who, at, async ({ tx, place }) => {
    const target = await requireFolder(tx, place, targetId)
    const found = await messagesToPlace(tx, place, uids)
    if (found.length === 0) return { answer: [], isChange: false }
    const bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    await reserveRoom(tx, [at.mailboxId], bytes, found.length)
    const unread = found.filter(({ isRead }) => !isRead).length
    const many = { messages: found.length, unread, uids: found.length }
    const { uid: lastUid, modseq } = await touchFolder(tx, targetId, many)
    await addUsedBytes(tx, at.mailboxId, bytes)
    const firstUid = lastUid - found.length + 1
    const copies = found.map(({ id }, n) => ({ from: id, id: newId(), uid: firstUid + n }))
    const isSent = target.role === 'sent'
    await insertCopies(tx, copies, { folderId: targetId, modseq, isSent, at: app.clock.now() })
    return {
      answer: found.map(({ uid }, n) => ({ from: uid, to: firstUid + n })),
      isChange: true,
    }
  })

/**
 * As `copyMessages`, but the messages leave this folder, and the junk filter learns from them. A move to where they are changes
 * nothing. @throws NOT_EXISTS, FORBIDDEN
 */
export const moveMessages = async (
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
  targetId: string,
): Promise<UidPair[]> => {
  const moved = await inFolder(app, who, at, async ({ tx, place, folder }) => {
    const target = await requireFolder(tx, place, targetId)
    const found = folder.id === target.id ? [] : await messagesToPlace(tx, place, uids)
    if (found.length === 0) return { answer: [], isChange: false }
    const ids = found.map(({ id }) => id)
    await learnFromMany(tx, place, ids, { from: folder.role, to: target.role })
    const changes = found.map((before) => ({ before, after: { ...before, folderId: targetId } }))
    await applyChanges(tx, changes, app.clock.now(), 'uid')
    const now = await uidsOfMessages(tx, { ...place, folderId: targetId }, ids)
    const answer = found.map(({ id, uid }) => ({ from: uid, to: now.get(id) ?? 0 }))
    return { answer, isChange: true }
  })
  app.caches.junkModels.delete(at.mailboxId)
  return moved
}

/**
 * Ends for good those of these messages that are marked deleted; they can be recovered for a while (decision 086).
 * @returns their uids, in order. @throws NOT_EXISTS, FORBIDDEN
 */
export const expunge = (
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
): Promise<number[]> =>
  inFolder(app, who, at, async ({ tx, place }) => {
    const doomed = await messagesToEnd(tx, place, uids)
    if (doomed.length > 0) await removeMessages(tx, place, doomed, app.clock.now())
    return { answer: doomed.map(({ uid }) => uid), isChange: doomed.length > 0 }
  })
