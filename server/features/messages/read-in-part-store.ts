import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'

export type PartialMessage = {
  id: string
  workspaceId: string
  mailboxId: string
  blob: string
  /** Number of tries, including this one. */
  tries: number
}

/** Takes the longest due message and sets its next try, so that no other worker takes it and a crash loses nothing. */
export const claimPartial = async (
  db: Db,
  now: Date,
  nextAt: (tries: number) => Date,
): Promise<PartialMessage | undefined> =>
  db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('messagesReadInPart as part')
      .innerJoin('messages', (on) =>
        on
          .onRef('messages.id', '=', 'part.messageId')
          .onRef('messages.workspaceId', '=', 'part.workspaceId'),
      )
      .select([
        'part.messageId as id',
        'part.workspaceId',
        'part.mailboxId',
        'part.tries',
        'messages.blob',
      ])
      .where('part.dueAt', '<=', now)
      .orderBy('part.dueAt')
      .limit(1)
      .forUpdate('part')
      .skipLocked()
      .executeTakeFirst()
    if (due === undefined) return undefined
    await tx
      .updateTable('messagesReadInPart')
      .set({ tries: due.tries + 1, dueAt: nextAt(due.tries) })
      .where('workspaceId', '=', due.workspaceId)
      .where('messageId', '=', due.id)
      .execute()
    return { ...due, tries: due.tries + 1 }
  })

/** Stores what is parsed from the body. */
export const putDigest = async (
  tx: Db,
  { id, workspaceId }: PartialMessage,
  { preview, hasAttachments, searchText, search }: MessageDigest,
  modseq: number,
): Promise<void> => {
  await tx
    .updateTable('messages')
    .set({ preview, hasAttachments, searchText, modseq })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('messageTexts')
    .set({ search: search.vector })
    .where('workspaceId', '=', workspaceId)
    .where('messageId', '=', id)
    .execute()
}

export const forgetPartial = async (
  tx: Db,
  { id, workspaceId }: Pick<PartialMessage, 'id' | 'workspaceId'>,
): Promise<void> => {
  await tx
    .deleteFrom('messagesReadInPart')
    .where('workspaceId', '=', workspaceId)
    .where('messageId', '=', id)
    .execute()
}
