/** Vacation replies, the senders answered, and the messages that wait for a decision. */
import type { Insertable, Selectable } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { VacationRepliesTable } from '#server/storage/rows/mailbox-setting-tables.ts'

export type Place = { workspaceId: string; mailboxId: string }
export type VacationRow = Selectable<VacationRepliesTable>

export const readVacation = (db: Db, place: Place): Promise<VacationRow | undefined> =>
  vacationOf(db, place).executeTakeFirst()

/** Locks the reply against saving and answering until the transaction ends. */
export const lockVacation = (db: Db, place: Place): Promise<VacationRow | undefined> =>
  vacationOf(db, place).forUpdate().executeTakeFirst()

const vacationOf = (db: Db, { workspaceId, mailboxId }: Place) =>
  db
    .selectFrom('vacationReplies')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)

export const storeVacation = async (
  db: Db,
  row: Insertable<VacationRepliesTable>,
): Promise<void> => {
  await db
    .insertInto('vacationReplies')
    .values(row)
    .onConflict((conflict) => conflict.constraint('vacation_replies_pkey').doUpdateSet(row))
    .execute()
}

export const countAnswer = async (db: Db, { workspaceId, mailboxId }: Place): Promise<void> => {
  await db
    .updateTable('vacationReplies')
    .set((set) => ({ answered: set('answered', '+', 1) }))
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .execute()
}

/** Oldest first: message ids begin with their time. */
export const readDues = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('vacationDues')
    .innerJoin(messageRows(db).as('messages'), (on) =>
      on
        .onRef('messages.id', '=', 'vacationDues.messageId')
        .onRef('messages.workspaceId', '=', 'vacationDues.workspaceId'),
    )
    .innerJoin(mailboxRows(db).as('mailboxes'), (on) =>
      on
        .onRef('mailboxes.id', '=', 'vacationDues.mailboxId')
        .onRef('mailboxes.workspaceId', '=', 'vacationDues.workspaceId'),
    )
    .select([
      'vacationDues.messageId as id',
      'vacationDues.mailboxId',
      'vacationDues.workspaceId',
      'messages.blob',
      'messages.sizeBytes',
      'messages.mailFrom',
      'messages.from',
      'messages.to',
      'messages.cc',
      'messages.subject',
      'messages.messageId',
      'messages.inReplyTo',
      'messages.references',
      'messages.authentication',
      'messages.date',
      'mailboxes.email',
      'mailboxes.displayName',
      'mailboxes.firstName',
      'mailboxes.lastName',
      'mailboxes.status',
    ])
    .where('vacationDues.messageId', '>', after)
    .orderBy('vacationDues.messageId')
    .limit(limit)
    .execute()

export type Due = Awaited<ReturnType<typeof readDues>>[number]

/** false: another worker has decided it or is deciding it. */
export const takeDue = async (db: Db, { workspaceId, id }: Due): Promise<boolean> => {
  const row = await db
    .deleteFrom('vacationDues')
    .where('workspaceId', '=', workspaceId)
    .where('messageId', 'in', (from) =>
      from
        .selectFrom('vacationDues')
        .select('messageId')
        .where('messageId', '=', id)
        .forUpdate()
        .skipLocked(),
    )
    .returning('messageId')
    .executeTakeFirst()
  return row !== undefined
}

type Answer = Place & { periodId: string; answeredAt: Date }

/** The addresses among these that may be answered: not answered in this period, or not since `before`. */
export const noteAnswers = async (
  db: Db,
  answer: Answer,
  addresses: readonly string[],
  before: Date,
): Promise<string[]> => {
  const rows = await db
    .insertInto('vacationAnswers')
    .values(addresses.map((address) => ({ ...answer, address })))
    .onConflict((conflict) =>
      conflict
        .constraint('vacation_answers_pkey')
        .doUpdateSet(answer)
        .where((is) =>
          is.or([
            is('vacationAnswers.periodId', '!=', answer.periodId),
            is('vacationAnswers.answeredAt', '<=', before),
          ]),
        ),
    )
    .returning('address')
    .execute()
  return rows.map(({ address }) => address)
}

export const deleteAnswers = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('vacationAnswers').where('answeredAt', '<', before).execute()
}
