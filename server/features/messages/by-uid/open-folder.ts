/** The state of a folder for mail programs, of one moment, and what changed in it since (RFC 7162, decision 086). */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import type { FolderName, FolderState } from '#server/features/mailboxes/folder-queries.ts'
import { isId } from '#server/lib/ids.ts'
import { readLog } from '../change-log/read-log.ts'
import { type FolderAt, openPlace, requireFolder } from './in-folder.ts'
import type { FlagsRow } from './message-flags.ts'
import { changedIn, goneFrom, highestOf, openingOf } from './uid-store.ts'

export type { FolderName }

export type OpenedFolder = {
  state: FolderState
  /** In order. */
  uids: Uint32Array
  /** 0: all are read. */
  firstUnread: number
  /** Those that mail programs have given in this mailbox. */
  keywords: string[]
  /** Came or changed after the modseq that was given, in the order of uids; all messages when that was never given here. */
  changed: FlagsRow[]
  /** The mailbox's modseq at this moment. */
  modseq: number
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const openFolder = async (
  app: App,
  who: Who,
  mailboxId: string,
  named: FolderName,
  since: number | null = null,
): Promise<OpenedFolder> => {
  if (!isId(mailboxId) || !isPossible(named)) throw new AppError('NOT_EXISTS')
  if (since !== null) return openSince(app, who, mailboxId, named, since)
  const { userId, workspaceId } = who
  const reading = { workspaceId, mailboxId, userId, now: app.clock.now() }
  const opening = await openingOf(app.db, reading, named)
  if (opening === undefined) throw new AppError('NOT_EXISTS')
  const { modseq, uids, firstUnread, keywords, readerId, ...state } = opening
  if (readerId === null) throw new AppError('FORBIDDEN')
  return { state, modseq, uids, firstUnread, keywords, changed: [] }
}

const isPossible = (named: FolderName): boolean => {
  if ('folderId' in named) return isId(named.folderId)
  // PostgreSQL has no text with it.
  return !('name' in named && named.name.includes('\0'))
}

const openSince = (
  app: App,
  who: Who,
  mailboxId: string,
  named: FolderName,
  since: number,
): Promise<OpenedFolder> =>
  readLog(app, who, mailboxId, async ({ tx, place, modseq }) => {
    const reading = { ...place, userId: who.userId, now: app.clock.now() }
    const opening = await openingOf(tx, reading, named)
    if (opening === undefined) throw new AppError('NOT_EXISTS')
    const { uids, firstUnread, keywords, modseq: _, readerId: __, ...state } = opening
    // A higher number is of a database that was replaced by an older one: what the client knows may be wrong.
    const folder = { ...place, folderId: state.id }
    const changed = await changedIn(tx, folder, since > modseq ? 0 : since)
    return { state, modseq, uids, firstUnread, keywords, changed }
  })

export type FolderChanges =
  /** The log does not reach back so far: the caller opens the folder anew. */
  | { isForgotten: true }
  | {
      isForgotten: false
      modseq: number
      state: FolderState
      /** Came or changed, in the order of uids. */
      changed: FlagsRow[]
      /** In order. */
      gone: number[]
    }

/** @throws NOT_EXISTS also when the folder was deleted, FORBIDDEN */
export const changesInFolder = (
  app: App,
  who: Who,
  mailboxId: string,
  folderId: string,
  since: number,
): Promise<FolderChanges> =>
  readLog(app, who, mailboxId, async ({ tx, place, modseq, isKnown }) => {
    const state = await requireFolder(tx, place, folderId)
    // Where nothing has happened since, nothing is forgotten, however long ago that is.
    if (since <= modseq && state.highestModseq <= since)
      return { isForgotten: false, modseq, state, changed: [], gone: [] }
    if (!isKnown(since)) return { isForgotten: true }
    const folder = { ...place, folderId }
    return {
      ...{ isForgotten: false, modseq, state },
      changed: await changedIn(tx, folder, since),
      gone: await goneFrom(tx, folder, since),
    }
  })

/** The last change among these messages; 0: there is none. @throws NOT_EXISTS, FORBIDDEN */
export const highestModseq = async (
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
): Promise<number> => highestOf(app.db, await openPlace(app, who, at), uids)
