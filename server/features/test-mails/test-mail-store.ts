import type { Insertable } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { TestMailsTable } from '#server/storage/rows/outbox-tables.ts'

type Place = { workspaceId: string; domainId: string }

export const readTestMail = (db: Db, { workspaceId, domainId }: Place) =>
  db
    .selectFrom('testMails')
    .innerJoin(mailboxRows(db).as('mailboxes'), (on) =>
      on
        .onRef('mailboxes.id', '=', 'testMails.mailboxId')
        .onRef('mailboxes.workspaceId', '=', 'testMails.workspaceId'),
    )
    .selectAll('testMails')
    .select('mailboxes.email')
    .where('testMails.workspaceId', '=', workspaceId)
    .where('testMails.domainId', '=', domainId)
    .executeTakeFirst()

export type TestMailRow = NonNullable<Awaited<ReturnType<typeof readTestMail>>>

/** Takes the place of the domain's last one. */
export const storeTestMail = async (db: Db, row: Insertable<TestMailsTable>): Promise<void> => {
  await db
    .insertInto('testMails')
    .values(row)
    .onConflict((conflict) => conflict.constraint('test_mails_pkey').doUpdateSet(row))
    .execute()
}

/** A mailbox that gets more than this before a page asks has an answer of a person among these. */
const MOST_REPLIES = 20

/** The first mails that name it and came by SMTP, in any folder: of a person, a vacation responder or a server. */
export const findReplies = (db: Db, { workspaceId, mailboxId, messageId }: TestMailRow) =>
  messageRows(db)
    .clearSelect()
    .select(['date', 'authentication', 'blob', 'mailFrom'])
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('inReplyTo', '=', messageId)
    .where('authentication', 'is not', null)
    .orderBy('date')
    .limit(MOST_REPLIES)
    .execute()

type Answer = Pick<Insertable<TestMailsTable>, 'answeredAt' | 'answerResults' | 'answerKind'>

/** Unless another test mail has taken its place. */
export const keepAnswer = async (
  db: Db,
  { workspaceId, domainId, messageId }: TestMailRow,
  answer: Answer,
): Promise<void> => {
  await db
    .updateTable('testMails')
    .set(answer)
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .where('messageId', '=', messageId)
    .execute()
}
