/** APPEND: files messages that a mail program sends (RFC 9051 §6.3.12). */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { checkRoom, reserveRoom } from '../check-room.ts'
import { fileForUid } from '../message-queries.ts'
import { digestLocal } from '../receive-message.ts'
import { findSentCopy, noteBcc, type SentCopy } from './append-store.ts'
import { flagsAfter, writeChanges } from './change-flags.ts'
import { type Change, type FolderAt, inFolder, openPlace } from './in-folder.ts'
import { keepKeywords } from './keep-keywords.ts'
import type { MessageFlags } from './message-flags.ts'

export type MessageToAppend = {
  raw: Buffer
  flags: MessageFlags
  /** null: now. */
  date: Date | null
}

type Prepared = MessageToAppend & { blob: string; digest: MessageDigest }

/** A mail program may add its copy to Sent for so long after the server has. */
const SAME_SENT_SECONDS = DAY_SECONDS

/**
 * All of them or none; durable on return. The copy of a letter that stands in Sent already is kept once (decision 097).
 * @returns their uids, in the order of the messages. @throws NOT_EXISTS, FORBIDDEN, STORAGE_FULL, VALIDATION for keywords
 */
export const appendMessages = async (
  app: App,
  who: Who,
  at: FolderAt,
  messages: readonly MessageToAppend[],
): Promise<number[]> => {
  await openPlace(app, who, at)
  const bytes = messages.reduce((sum, { raw }) => sum + raw.length, 0)
  await checkRoom(app, [at.mailboxId], bytes, messages.length)
  const prepared: Prepared[] = []
  for (const message of messages) {
    const [blob, digest] = await Promise.all([
      app.blobs.put(message.raw),
      digestLocal(message.raw, who.workspaceId),
    ])
    prepared.push({ ...message, blob, digest })
  }
  return inFolder(app, who, at, async (change) => {
    await reserveRoom(change.tx, [at.mailboxId], bytes, messages.length)
    const uids: number[] = []
    let isChange = false
    for (const message of prepared) {
      const known = await sentCopyOf(app, change, message)
      const isMerged = known !== undefined && (await merge(change, known, message))
      isChange ||= known === undefined || isMerged
      uids.push(known?.uid ?? (await file(app, change, message)))
    }
    return { answer: uids, isChange }
  })
}

/** What this server has kept of a letter that it sent a moment ago. */
const sentCopyOf = async (
  app: App,
  { tx, place, folder }: Change,
  { digest: { messageId, subject, from } }: Prepared,
): Promise<SentCopy | undefined> => {
  if (folder.role !== 'sent' || messageId === '') return undefined
  const since = secondsAfter(app.clock.now(), -SAME_SENT_SECONDS)
  return findSentCopy(tx, place, { messageId, subject, from: from?.address ?? '' }, since)
}

/** The flags of both; the bytes stay those that were sent. @returns whether anything changed. */
const merge = async (
  { tx, place }: Change,
  known: SentCopy,
  { flags, digest: { bcc } }: Prepared,
): Promise<boolean> => {
  const keywords = await keepKeywords(tx, place, flags.keywords)
  const after = flagsAfter(known, { how: 'add', flags: { ...flags, keywords } })
  const isDifferent = JSON.stringify(after) !== JSON.stringify(known)
  const isBccNew = bcc.length > 0 && !known.hasBcc
  if (isDifferent) await writeChanges(tx, place.folderId, [{ before: known, after }])
  if (isBccNew) {
    const none = { messages: 0, unread: 0, uids: 0 }
    const { modseq } = await touchFolder(tx, place.folderId, none)
    await noteBcc(tx, place, known.id, { bcc, modseq })
  }
  return isDifferent || isBccNew
}

const file = async (
  app: App,
  { tx, place: { workspaceId, mailboxId, folderId } }: Change,
  { raw, flags, date, blob, digest }: Prepared,
): Promise<number> => {
  const now = app.clock.now()
  const keywords = await keepKeywords(tx, { workspaceId, mailboxId }, flags.keywords)
  const uid = await fileForUid(tx, {
    ...{ id: newId(), mailboxId, folderId, blob, digest, sizeBytes: raw.length },
    ...{ ...flags, keywords, authentication: null, mailFrom: '' },
    ...{ date: date ?? now, savedAt: now },
  })
  if (uid === null) throw new Error(`mailbox ${mailboxId} is gone`)
  return uid
}
