/** A reader's mailbox as a mail program sees it: folders by their roles, messages by their uids. */

import type { FolderRole } from '#contract/messages.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { appendMessages } from '#server/features/messages/by-uid/append-messages.ts'
import type { FolderAt } from '#server/features/messages/by-uid/in-folder.ts'
import type { MessageFlags } from '#server/features/messages/by-uid/message-flags.ts'
import type { TestApp } from '../app.ts'
import type { Mailbox } from '../builders.ts'
import { aMailReader } from '../members.ts'
import { aLetter, type Letter, letterText } from './letter.ts'

export const noFlags: MessageFlags = {
  ...{ isRead: false, isStarred: false, isAnswered: false, isDraft: false, isDeleted: false },
  keywords: [],
}

export type MailProgram = {
  who: Who
  mailbox: Mailbox
  at(role: FolderRole): Promise<FolderAt>
  /** One after the other into the Inbox, a second apart; a text is a subject. */
  come(...letters: (string | Letter)[]): Promise<void>
  append(role: FolderRole, letter: Letter | Buffer, more?: object): Promise<number>
  /** The rows of a folder, in the order of uids. */
  rows(role: FolderRole): Promise<Row[]>
}

type Row = MessageFlags & {
  id: string
  uid: number
  modseq: number
  subject: string
  threadId: string
  blob: string
}

export const aMailProgram = async (app: TestApp): Promise<MailProgram> => {
  const { who, mailbox } = await aMailReader(app)
  const at = async (role: FolderRole): Promise<FolderAt> => {
    const { id: folderId } = await app.db
      .selectFrom('folders')
      .select('id')
      .where('mailboxId', '=', mailbox.id)
      .where('role', '=', role)
      .executeTakeFirstOrThrow()
    return { mailboxId: mailbox.id, folderId }
  }
  return {
    ...{ who, mailbox, at },
    come: async (...letters) => {
      for (const letter of letters) {
        app.clock.advance({ seconds: 1 })
        await aLetter(app, mailbox, typeof letter === 'string' ? { subject: letter } : letter)
      }
    },
    append: async (role, letter, more = {}) => {
      const raw = Buffer.isBuffer(letter) ? letter : Buffer.from(letterText(letter))
      const [uid = 0] = await appendMessages(app, who, await at(role), [
        { raw, flags: noFlags, date: null, ...more },
      ])
      return uid
    },
    rows: async (role) =>
      app.db
        .selectFrom('messages')
        .select(['id', 'uid', 'modseq', 'subject', 'threadId', 'blob', 'keywords'])
        .select(['isRead', 'isStarred', 'isAnswered', 'isDraft', 'isDeleted'])
        .where('folderId', '=', (await at(role)).folderId)
        .orderBy('uid')
        .execute(),
  }
}
