import type { Insertable } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { TestMailsTable } from '#server/storage/rows/outbox-tables.ts'

type Place = { workspaceId: string; domainId: string }

export const readTestMail = (db: Db, { workspaceId, domainId }: Place) =>
  db
    .selectFrom('testMails')
    .innerJoin(mailboxRows(db).as('mailboxes'), 'mailboxes.id', 'testMails.mailboxId')
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
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet(row))
    .execute()
}

/**
 * The first mail that answers it and came by SMTP. Mail with an empty reverse path is a bounce or an automatic reply, and shows
 * nothing: another server may take a message and return it later.
 */
export const findAnswer = (db: Db, { workspaceId, mailboxId, messageId }: TestMailRow) =>
  messageRows(db)
    .clearSelect()
    .select(['date', 'authentication'])
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('inReplyTo', '=', messageId)
    .where('authentication', 'is not', null)
    .where('mailFrom', '<>', '')
    .orderBy('date')
    .limit(1)
    .executeTakeFirst()

type Answer = Pick<Insertable<TestMailsTable>, 'answeredAt' | 'answerResults'>

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
