/**
 * Saving while one types. One draft is one message, replaced with each save. A save that comes late, or twice, changes
 * nothing; one that would write over what another window saved is refused.
 */
import { AppError } from '#contract/errors.ts'
import type { DraftDetails, Upload, Writing } from '#contract/mail/writing.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import {
  blobsInUse,
  lockMailboxRow,
  lockMessage,
  removeRow,
  touchFolder,
} from '#server/features/messages/changes-store.ts'
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
    await lockMailboxRow(tx, mailboxId)
    const place = await draftPlace(tx, mailbox, writing)
    if (place.state === 'taken') throw new AppError('DRAFT_CHANGED')
    if (place.state === 'late') return { saved: place.row, dropped: prepared.stored.blob }
    const messageId = place.message?.id ?? newId()
    const blob = await removeDraft(tx, mailbox, place.message)
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

/** Whoever is typing an address has not finished it: no reason to save nothing. */
const split = (writing: Writing): { finished: Writing; unfinished: Unfinished } => {
  const isFinished = (entry: string) => parseMailbox(entry) !== null
  const { to, cc, bcc } = writing
  const [finished, unfinished] = [isFinished, (entry: string) => !isFinished(entry)].map((is) => ({
    ...{ to: to.filter(is), cc: cc.filter(is), bcc: bcc.filter(is) },
  })) as [Required<Unfinished>, Unfinished]
  return { finished: { ...writing, ...finished }, unfinished }
}

/** Of what a draft from elsewhere began with. */
const FIRST_REVISION = 'first'

export const revisionOf = (row: Pick<DraftRow, 'writer' | 'save'> | undefined): string =>
  row === undefined ? FIRST_REVISION : `${row.writer}/${row.save}`

type Found = NonNullable<Awaited<ReturnType<typeof findDraftMessage>>>
type SavedRow = Omit<DraftRow, 'unfinished'>

export type DraftPlace =
  /** It may be written, in the place of this message if there is one. */
  | { state: 'free'; message: Found | undefined }
  /** A later save of the same writer is here. */
  | { state: 'late'; row: SavedRow }
  /** Another window saved it, or it is no draft any more. */
  | { state: 'taken' }

/** The mailbox is locked before. */
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
  // It has a key of its own by now.
  if (row === undefined && (await findDraft(tx, place, { messageId: message.id })) !== undefined)
    return { state: 'taken' }
  if (row?.writer === writing.writer)
    return row.save >= writing.save ? { state: 'late', row } : { state: 'free', message }
  return revisionOf(row) === writing.basedOn ? { state: 'free', message } : { state: 'taken' }
}

/** @returns the blob that no row names any more. */
export const removeDraft = async (
  tx: Db,
  { id: mailboxId, workspaceId }: OpenMailbox,
  found: Found | undefined,
): Promise<string | null> => {
  if (found === undefined) return null
  const message = await lockMessage(tx, { workspaceId, mailboxId, messageId: found.id })
  if (message === undefined) return null
  const unread = message.isRead ? 0 : -1
  await touchFolder(tx, message.folderId, { messages: -1, unread, uids: 0 })
  await removeRow(tx, mailboxId, message)
  return (await blobsInUse(tx, [found.blob])).has(found.blob) ? null : found.blob
}

/** What is not kept leaves nothing on disk: its bytes are its own, since no Message-ID is written twice. */
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

/** At once, not by the sweep: a long letter with a large file would fill the disk in a day. */
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

/** Of a draft from elsewhere nothing is known but itself. @throws NOT_EXISTS also for what is no draft. */
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

/** Files that no draft has for a day, and what was needed to take a message back. The sweep takes their bytes. */
export const purgeWriting = async (app: App): Promise<void> => {
  const before = (days: number) => secondsAfter(app.clock.now(), -days * DAY_SECONDS)
  await deleteSends(app.db, before(30))
  await deleteSentDrafts(app.db, before(1))
  await deleteIdleUploads(app.db, before(1))
}
