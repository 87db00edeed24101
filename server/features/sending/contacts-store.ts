/** The recipients of a mailbox, by frequency and recency. */
import { type Insertable, sql } from 'kysely'
import { folderRows } from '#server/features/mailboxes/folder-queries.ts'
import { mailboxRows, readerRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { ContactsTable } from '#server/storage/rows/sending-tables.ts'

/** Inserts or updates contacts. Ranks are logarithms, so they are added as such. The last non-empty name is kept. */
export const addContacts = async (
  db: Db,
  contacts: readonly Insertable<ContactsTable>[],
): Promise<void> => {
  if (contacts.length === 0) return
  await db
    .insertInto('contacts')
    .values([...contacts])
    .onConflict((conflict) =>
      conflict.constraint('contacts_pkey').doUpdateSet({
        name: sql<string>`case when excluded.name = '' then contacts.name else excluded.name end`,
        words: sql<string>`case when excluded.name = '' then contacts.words else excluded.words end`,
        times: sql<number>`contacts.times + 1`,
        rank: sql<number>`greatest(contacts.rank, excluded.rank)
          + ln(1 + exp(greatest(-700, -abs(contacts.rank - excluded.rank))))`,
      }),
    )
    .execute()
}

/** Subtracts one use of each contact; contacts without a use left are deleted. */
export const takeContacts = async (
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
  addresses: readonly string[],
): Promise<void> => {
  const among = sql<boolean>`address = any(${[...addresses]}::text[])`
  await db
    .updateTable('contacts')
    .set((set) => ({ times: set('times', '-', 1) }))
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where(among)
    .execute()
  await db
    .deleteFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where(among)
    .where('times', '<=', 0)
    .execute()
}

type Search = { workspaceId: string; mailboxId: string; patterns: readonly string[]; limit: number }

export const findContacts = (db: Db, { workspaceId, mailboxId, patterns, limit }: Search) => {
  let query = db
    .selectFrom('contacts')
    .select(['name', 'address'])
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
  for (const pattern of patterns) query = query.where('words', 'like', pattern)
  return query.orderBy('rank', 'desc').limit(limit).execute()
}

/** The authors of the newest messages, newest first, without Junk, Trash, Sent and Drafts. */
export const lastSenders = (db: Db, workspaceId: string, mailboxId: string, limit: number) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom(messageRows(db).as('messages'))
        .select(['messages.from', 'messages.folderId', 'messages.workspaceId', 'messages.date'])
        .where('messages.workspaceId', '=', workspaceId)
        .where('messages.mailboxId', '=', mailboxId)
        .orderBy('messages.date', 'desc')
        .limit(limit)
        .as('last'),
    )
    .innerJoin(folderRows(db).as('folders'), (on) =>
      on
        .onRef('folders.id', '=', 'last.folderId')
        .onRef('folders.workspaceId', '=', 'last.workspaceId'),
    )
    .select('last.from')
    .where((is) =>
      is.or([is('folders.role', 'is', null), is('folders.role', 'in', ['inbox', 'archive'])]),
    )
    .orderBy('last.date', 'desc')
    .execute()

/** Mailboxes of the workspace, or with `readerId` those that this user reads. */
export const colleagues = (
  db: Db,
  workspaceId: string,
  { readerId, now }: { readerId: string | null; now: Date },
  limit: number,
) => {
  const query = db
    .selectFrom(mailboxRows(db).as('mailboxes'))
    .select(['firstName', 'lastName', 'email'])
    .where('mailboxes.workspaceId', '=', workspaceId)
    .orderBy('email')
    .limit(limit)
  if (readerId === null) return query.execute()
  return query
    .innerJoin(readerRows(db, now).as('mailboxReaders'), (on) =>
      on
        .onRef('mailboxReaders.mailboxId', '=', 'mailboxes.id')
        .onRef('mailboxReaders.workspaceId', '=', 'mailboxes.workspaceId'),
    )
    .where('mailboxReaders.userId', '=', readerId)
    .execute()
}
