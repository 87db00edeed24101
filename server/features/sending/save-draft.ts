/**
 * Saves a draft while the user types. One draft is one message, replaced at each save. A save that arrives late or twice
 * changes nothing; one that would overwrite another window's save is refused.
 */
import { AppError } from '#contract/errors.ts'
import type { DraftDetails, Upload, Writing } from '#contract/mail/writing.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { blobsInUse } from '#server/features/messages/blobs/blob-queries.ts'
import { lockMessage, removeMessage } from '#server/features/messages/change-queries.ts'
import { openMessage } from '#server/features/messages/get-message.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { parseMailbox } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import type { Unfinished } from '#server/storage/rows/sending-tables.ts'
import {
  type DraftRow,
  deleteSentDrafts,
  findDraft,
  findDraftMessage,
  putDraft,
} from './drafts-store.ts'
import { fileWritten } from './keep-message.ts'
import type { OpenMailbox } from './prepare-message.ts'
import { type PreparedWriting, prepareWriting } from './prepare-writing.ts'
import { deleteSends } from './sends-store.ts'
import { toUpload } from './upload-file.ts'
import { deleteIdleUploads, findUploads } from './uploads-store.ts'

export type SavedDraft = { _id: string; revision: string; savedAt: string }

/** @throws DRAFT_CHANGED, VALIDATION, STORAGE_FULL */
export const saveDraft = async (
  app: App,
  who: Who,
  mailboxId: string,
  writing: Writing,
): Promise<SavedDraft> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const { finished, unfinished } = split(writing)
  const prepared = await prepareWriting(app, mailbox, finished, true)
  const saving = app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, mailboxId)
    const place = await draftPlace(tx, mailbox, writing)
    if (place.state === 'taken') throw new AppError('DRAFT_CHANGED')
    if (place.state === 'late') return { saved: place.row, dropped: prepared.stored.blob }
    const messageId = place.message?.id ?? newId()
    const blob = await removeDraft(tx, mailbox, place.message, prepared.stored.at)
    await fileWritten(tx, messageId, prepared.stored)
    const row = draftRow(mailbox, writing, prepared, messageId)
    await putDraft(tx, { ...row, unfinished: JSON.stringify(unfinished) })
    return { saved: row, dropped: blob }
  })
  const { saved, dropped } = await unlessRefused(app, prepared, saving)
  await dropBlob(app, dropped)
  const { messageId, savedAt } = saved
  return { _id: messageId, revision: revisionOf(saved), savedAt: savedAt.toISOString() }
}

/** Separates unfinished addresses, which a draft may have but a message may not. */
const split = (writing: Writing): { finished: Writing; unfinished: Unfinished } => {
  const isFinished = (entry: string) => parseMailbox(entry) !== null
  const { to, cc, bcc } = writing
  const [finished, unfinished] = [isFinished, (entry: string) => !isFinished(entry)].map((is) => ({
    ...{ to: to.filter(is), cc: cc.filter(is), bcc: bcc.filter(is) },
  })) as [Required<Unfinished>, Unfinished]
  return { finished: { ...writing, ...finished }, unfinished }
}

/** The revision of a draft that no browser has saved yet (one made by another client). */
const FIRST_REVISION = 'first'

export const revisionOf = (row: Pick<DraftRow, 'writer' | 'save'> | undefined): string =>
  row === undefined ? FIRST_REVISION : `${row.writer}/${row.save}`

type Found = NonNullable<Awaited<ReturnType<typeof findDraftMessage>>>
type SavedRow = Omit<DraftRow, 'unfinished'>

export type DraftPlace =
  /** The draft may be written and replaces `message`, if there is one. */
  | { state: 'free'; message: Found | undefined }
  /** A later save of the same writer is already stored. */
  | { state: 'late'; row: SavedRow }
  /** Another window saved it, or it is no longer a draft. */
  | { state: 'taken' }

/** The caller has locked the mailbox. */
export const draftPlace = async (
  tx: Db,
  { id: mailboxId, workspaceId }: OpenMailbox,
  writing: Writing,
): Promise<DraftPlace> => {
  const place = { workspaceId, mailboxId }
  const row = await findDraft(tx, place, { key: writing.draft })
  const message = await findDraftMessage(tx, place, row?.messageId ?? writing.draft)
  if (message === undefined) return { state: 'free', message }
  if (!message.isDraft || message.role !== 'drafts') return { state: 'taken' }
  // Another save has given this message a draft key in the meantime.
  if (row === undefined && (await findDraft(tx, place, { messageId: message.id })) !== undefined)
    return { state: 'taken' }
  if (row?.writer === writing.writer)
    return row.save >= writing.save ? { state: 'late', row } : { state: 'free', message }
  return revisionOf(row) === writing.basedOn ? { state: 'free', message } : { state: 'taken' }
}

/** @returns the blob that no row refers to any more. */
export const removeDraft = async (
  tx: Db,
  { id: mailboxId, workspaceId }: OpenMailbox,
  found: Found | undefined,
  at: Date,
): Promise<string | null> => {
  if (found === undefined) return null
  const message = await lockMessage(tx, { workspaceId, mailboxId, messageId: found.id })
  if (message === undefined) return null
  await removeMessage(tx, mailboxId, message, { why: 'replaced', at })
  return (await blobsInUse(tx, [found.blob])).has(found.blob) ? null : found.blob
}

/** Deletes the blob when the message is refused. No other row can refer to it, because each message has its own Message-ID. */
export const unlessRefused = async <T>(
  app: App,
  { stored }: PreparedWriting,
  keeping: Promise<T>,
): Promise<T> => {
  try {
    return await keeping
  } catch (error) {
    if (error instanceof AppError) await dropBlob(app, stored.blob)
    throw error
  }
}

/** Deletes at once, not by the sweep: saves of a long letter with a large file would fill the disk within a day. */
export const dropBlob = async (app: App, blob: string | null): Promise<void> => {
  if (blob === null) return
  await app.blobs
    .delete(blob)
    .catch((error: unknown) => app.log.warn({ err: error }, 'an old draft was left to the sweep'))
}

export const draftRow = (
  { id: mailboxId, workspaceId }: OpenMailbox,
  { draft: key, writer, save, uploads }: Writing,
  { stored, originalIds }: PreparedWriting,
  messageId: string,
): Omit<DraftRow, 'unfinished'> => ({
  ...{ mailboxId, key, workspaceId, messageId, writer, save, uploads, ...originalIds },
  savedAt: stored.at,
})

/** A draft made by another client has no stored form fields. @throws NOT_EXISTS, also when the message is no draft. */
export const getDraft = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<DraftDetails> => {
  const message = await openMessage(app, who, mailboxId, messageId)
  if (!message.isDraft) throw new AppError('NOT_EXISTS')
  const place = { workspaceId: who.workspaceId, mailboxId }
  const row = await findDraft(app.db, place, { messageId })
  const found = await findUploads(app.db, place, row?.uploads ?? [])
  const byId = new Map(found.map((upload): [string, Upload] => [upload.id, toUpload(upload)]))
  return {
    draft: row?.key ?? messageId,
    revision: revisionOf(row),
    uploads: (row?.uploads ?? []).flatMap((id) => byId.get(id) ?? []),
    inReplyTo: row?.inReplyTo ?? null,
    forwardOf: row?.forwardOf ?? null,
    unfinished: { to: [], cc: [], bcc: [], ...row?.unfinished },
  }
}

/** Deletes uploads that no draft has used for a day, and rows for undoing a send. The sweep removes the bytes. */
export const purgeWriting = async (app: App): Promise<void> => {
  const before = (days: number) => secondsAfter(app.clock.now(), -days * DAY_SECONDS)
  await deleteSends(app.db, before(30))
  await deleteSentDrafts(app.db, before(1))
  await deleteIdleUploads(app.db, before(1))
}
