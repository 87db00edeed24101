/** Changes many messages at once; the change is kept for an hour for undo. */

import { AppError } from '#contract/errors.ts'
import { type BulkChange, MAX_FOUND_AT_ONCE } from '#contract/mail/changes.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type FolderRow, foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import type { MessageBefore } from '#server/storage/rows/conversation-tables.ts'
import {
  applyChanges,
  deleteChanges,
  forgetChanges,
  noteChange,
  type Place,
  removeMessages,
  type Selection,
  selectMessages,
  takeChange,
} from './bulk-store.ts'
import { learnFrom, MOST_LEARNT } from './learn-from.ts'
import { pickFolder } from './list-folders.ts'
import { findForChange } from './search/search-messages.ts'

export const UNDO_SECONDS = HOUR_SECONDS

export type Changed = { _id: string | null; count: number; nextCursor: string | null }

export const changeMessages = async (
  app: App,
  who: Who,
  mailboxId: string,
  asked: BulkChange,
): Promise<Changed> => {
  const search = await searched(app, who, mailboxId, asked)
  const changed = await inMailbox(app, who, mailboxId, async (tx, place) => {
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const target = targetOf(folders, asked)
    const selection = search ? { messageIds: search.ids } : selectionOf(folders, asked)
    const found = await selectMessages(tx, place, selection)
    const roleOf = new Map(folders.map(({ id, role }) => [id, role]))
    const finalRoles =
      asked.delete === 'for good' ? ['trash', 'drafts', 'junk'] : ['trash', 'drafts']
    const isFinal = ({ folderId }: MessageBefore) =>
      asked.delete !== undefined && finalRoles.includes(roleOf.get(folderId) ?? '')
    const doomed = found.filter(isFinal)
    const changes = found
      .filter((before) => !isFinal(before))
      .map((before) => ({ before, after: stateAfter(before, asked, target) }))
      .filter(({ before, after }) => isDifferent(before, after))
    if (target !== null) {
      const moving = changes.map(({ before }) => before).filter((m) => m.folderId !== target.id)
      for (const { id, folderId } of moving.slice(0, MOST_LEARNT))
        await learnFrom(
          tx,
          { ...place, messageId: id },
          { from: roleOf.get(folderId) ?? null, to: target.role },
        )
    }
    const at = app.clock.now()
    await applyChanges(tx, changes, at)
    if (doomed.length > 0) await removeMessages(tx, place, doomed, at)
    const before = changes.map((change) => change.before)
    const _id = await noteForUndo(app, tx, place, before, target?.id ?? null)
    return { _id, count: changes.length + doomed.length }
  })
  return { ...changed, nextCursor: search?.nextCursor ?? null }
}

/** Before the mailbox is locked, because a search may take long. */
const searched = (app: App, who: Who, mailboxId: string, { found, folder }: BulkChange) =>
  found
    ? findForChange(app, who, mailboxId, {
        ...{ ...found, until: new Date(found.until) },
        ...{ isMove: folder !== undefined, limit: MAX_FOUND_AT_ONCE },
      })
    : null

/** Changes messages of a mailbox that the user may read, serially, and notifies open pages. */
export const inMailbox = async <T>(
  app: App,
  who: Who,
  mailboxId: string,
  change: (tx: Db, place: Place) => Promise<T>,
): Promise<T> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const answer = await app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, mailboxId)
    const changed = await change(tx, place)
    await announceChange(tx, { topic: 'messages', ...place })
    return changed
  })
  app.caches.junkModels.delete(mailboxId)
  return answer
}

const noteForUndo = async (
  app: App,
  tx: Db,
  place: Place,
  before: MessageBefore[],
  to: string | null,
): Promise<string | null> => {
  const at = app.clock.now()
  await forgetChanges(tx, place.mailboxId, secondsAfter(at, -UNDO_SECONDS))
  if (before.length === 0) return null
  const id = newId()
  await noteChange(tx, place, { id, at, to, before })
  return id
}

/** @throws NOT_EXISTS when there is no such folder. */
const targetOf = (folders: readonly FolderRow[], asked: BulkChange): FolderRow | null => {
  if (asked.delete) return pickFolder(folders, 'trash')
  return asked.folder === undefined ? null : pickFolder(folders, asked.folder)
}

const selectionOf = (folders: readonly FolderRow[], asked: BulkChange): Selection => {
  const { messages, conversations, all } = asked
  if (conversations) {
    const { id: folderId } = pickFolder(folders, conversations.folder)
    return { folderId, threadIds: conversations.threads }
  }
  if (all) {
    const { id: folderId } = pickFolder(folders, all.folder)
    return { folderId, until: new Date(all.until), exceptThreadIds: all.except }
  }
  return { messageIds: messages ?? [] }
}

const stateAfter = (before: MessageBefore, asked: BulkChange, target: FolderRow | null) => ({
  folderId: target?.id ?? before.folderId,
  isRead: asked.isRead ?? before.isRead,
  isStarred: asked.isStarred ?? before.isStarred,
})

export const isDifferent = (
  before: Omit<MessageBefore, 'id'>,
  after: Omit<MessageBefore, 'id'>,
): boolean =>
  before.folderId !== after.folderId ||
  before.isRead !== after.isRead ||
  before.isStarred !== after.isStarred

/** Restores the messages, except those that were moved since. @throws NOT_EXISTS when it is too late. */
export const undoChange = async (
  app: App,
  who: Who,
  mailboxId: string,
  changeId: string,
): Promise<{ count: number }> =>
  inMailbox(app, who, mailboxId, async (tx, place) => {
    const since = secondsAfter(app.clock.now(), -UNDO_SECONDS)
    const change = isId(changeId) ? await takeChange(tx, place, changeId, since) : undefined
    if (change === undefined) throw new AppError('NOT_EXISTS')
    const { to, before: states } = change.changed
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const roleOf = new Map(folders.map(({ id, role }) => [id, role]))
    const known = new Map(states.map((state) => [state.id, state]))
    const found = await selectMessages(tx, place, { messageIds: [...known.keys()] })
    const changes = found.flatMap((message) => {
      const { folderId, isRead, isStarred } = known.get(message.id) ?? message
      const isElsewhere = message.folderId !== (to ?? folderId)
      // Messages whose former folder was deleted stay where they are.
      if (isElsewhere || !roleOf.has(folderId)) return []
      return [{ before: message, after: { folderId, isRead, isStarred } }]
    })
    const wanted = changes.filter(({ before, after }) => isDifferent(before, after))
    for (const { before, after } of wanted.slice(0, MOST_LEARNT))
      if (before.folderId !== after.folderId) {
        const [from, back] = [before, after].map(({ folderId }) => roleOf.get(folderId) ?? null)
        await learnFrom(
          tx,
          { ...place, messageId: before.id },
          { from: from ?? null, to: back ?? null },
        )
      }
    await applyChanges(tx, wanted, app.clock.now())
    return { count: wanted.length }
  })

/** Deletes changes that are too old for undo, in all mailboxes. */
export const purgeChanges = (app: App): Promise<void> =>
  deleteChanges(app.db, secondsAfter(app.clock.now(), -UNDO_SECONDS))
