/** Changes and removes messages, for this room and rooms that write mail. Callers lock the mailbox first (`lockMailOf`). */
import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { type EventAnswer, eventAnswer } from '#contract/mail/event-invitation.ts'
import { folderRows, touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { subtractUsedBytes } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Kind } from '#server/standards/junk/junk-model.ts'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByMailbox } from '#server/storage/move-rows.ts'
import type { MessagesTable } from '#server/storage/rows/mailbox-tables.ts'
import type { Tables } from '#server/storage/tables.ts'
import { type Leaving, leaveFolder } from './change-log/tombstones-store.ts'
import { type MessagePlace, summaryColumns } from './message-queries.ts'

const locked = ['id', 'folderId', 'isRead', 'isStarred', 'sizeBytes'] as const

export type LockedMessage = Pick<Selectable<MessagesTable>, (typeof locked)[number]>

export const lockMessage = (db: Db, place: MessagePlace): Promise<LockedMessage | undefined> =>
  db
    .selectFrom('messages')
    .select(locked)
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('id', '=', place.messageId)
    .forUpdate()
    .executeTakeFirst()

/** Every change of a message needs a modseq. */
export type MessageChange = Updateable<MessagesTable> & { modseq: number }

export const changeRow = (db: Db, id: string, change: MessageChange) =>
  db
    .updateTable('messages')
    .set(change)
    .where('id', '=', id)
    .returning(summaryColumns)
    .executeTakeFirstOrThrow()

/** Takes the message out of its folder, deletes the row and frees its bytes. */
export const removeMessage = async (
  db: Db,
  mailboxId: string,
  message: LockedMessage,
  leaving: Leaving,
): Promise<void> => {
  await leaveFolder(db, message.folderId, [message], leaving)
  await db.deleteFrom('messages').where('id', '=', message.id).execute()
  await subtractUsedBytes(db, mailboxId, message.sizeBytes)
}

/** The stored fields that the junk filter learns from. */
export const readForLearning = (db: Db, place: MessagePlace) =>
  db
    .selectFrom('messages')
    .select(['subject', 'from', 'searchText', 'learntAs'])
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('id', '=', place.messageId)
    .executeTakeFirst()

export const noteLearnt = async (db: Db, place: MessagePlace, learntAs: Kind): Promise<void> => {
  await db
    .updateTable('messages')
    .set({ learntAs })
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('id', '=', place.messageId)
    .execute()
}

/** The keyword of mail clients (RFC 5788). */
export const FORWARDED = '$Forwarded'

/** @returns whether the mark was different before. */
export const setMark = async (
  db: Db,
  { workspaceId, mailboxId, messageId }: MessagePlace,
  mark: 'answered' | 'forwarded',
  { isOn, modseq }: { isOn: boolean; modseq: number },
): Promise<boolean> => {
  const isMarked =
    mark === 'answered' ? sql<boolean>`is_answered` : sql<boolean>`${FORWARDED} = any(keywords)`
  const change =
    mark === 'answered'
      ? { isAnswered: isOn, modseq }
      : {
          keywords: isOn
            ? sql<string[]>`keywords || ${FORWARDED}::text`
            : sql<string[]>`array_remove(keywords, ${FORWARDED})`,
          modseq,
        }
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', messageId)
    .where(isMarked, '=', !isOn)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The keyword of an answer to an invitation: '$accepted', '$declined' or '$tentative'. */
export const answerKeyword = (answer: string): string => `$${answer}`

/** Instead of an answer that was given before. */
export const noteAnswer = async (
  db: Db,
  { workspaceId, mailboxId, messageId }: MessagePlace,
  { answer, modseq }: { answer: EventAnswer; modseq: number },
): Promise<void> => {
  const others = eventAnswer.options.map(answerKeyword)
  await db
    .updateTable('messages')
    .set({
      keywords: sql<string[]>`array(select unnest(keywords) except select unnest(${others}::text[]))
        || ${answerKeyword(answer)}::text`,
      modseq,
    })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', messageId)
    .execute()
}

/** Moves the message to Drafts, from any folder. A draft is in no conversation. */
export const becomeDraft = async (
  db: Db,
  { workspaceId, mailboxId, messageId }: MessagePlace,
  message: LockedMessage,
  { draftsId, at }: { draftsId: string; at: Date },
): Promise<void> => {
  await leaveFolder(db, message.folderId, [message], { why: 'moved', at })
  const to = await touchFolder(db, draftsId, { messages: 1, unread: 0, uids: 1 })
  await db
    .updateTable('messages')
    .set({
      ...to,
      folderId: draftsId,
      savedAt: at,
      isDraft: true,
      isRead: true,
      threadId: messageId,
    })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', messageId)
    .execute()
}

/** Deletes the conversation lists first: triggers fill them again in the other workspace (migration 0015). */
export const moveMessageRows = async (db: Db, move: Move): Promise<void> => {
  const moving = (of: ExpressionBuilder<Tables, 'conversations' | 'folderDays'>) =>
    of
      .selectFrom(folderRows(db).as('folders'))
      .select('folders.id')
      .where('folders.mailboxId', '=', sql<string>`any(${[...move.mailboxIds]}::uuid[])`)
  await db
    .deleteFrom('conversations')
    .where('workspaceId', '=', move.from)
    .where('folderId', 'in', moving)
    .execute()
  await db.deleteFrom('folderDays').where('folderId', 'in', moving).execute()
  await moveByMailbox(db, move, [
    'messages',
    'message_texts',
    'message_structures',
    'bulk_changes',
    'tombstones',
    'messages_read_in_part',
    'mailbox_keywords',
  ])
}
