/** Whom a mailbox writes to, those it writes to most and last first. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { ContactsTable } from '#server/storage/rows/sending-tables.ts'

/** Adds the ranks as the logarithms that they are; the last name that was used stays. */
export const addContacts = async (
  db: Db,
  contacts: readonly Insertable<ContactsTable>[],
): Promise<void> => {
  if (contacts.length === 0) return
  await db
    .insertInto('contacts')
    .values([...contacts])
    .onConflict((conflict) =>
      conflict.columns(['mailboxId', 'address']).doUpdateSet({
        name: sql<string>`case when excluded.name = '' then contacts.name else excluded.name end`,
        words: sql<string>`case when excluded.name = '' then contacts.words else excluded.words end`,
        times: sql<number>`contacts.times + 1`,
        rank: sql<number>`greatest(contacts.rank, excluded.rank)
          + ln(1 + exp(greatest(-700, -abs(contacts.rank - excluded.rank))))`,
      }),
    )
    .execute()
}

/** One time less for each; those of no time at all go. */
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

/** Who wrote last, newest first; not what lies in Junk or Trash. */
export const lastSenders = (db: Db, workspaceId: string, mailboxId: string, limit: number) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('messages')
        .select(['messages.from', 'messages.folderId', 'messages.date'])
        .where('messages.workspaceId', '=', workspaceId)
        .where('messages.mailboxId', '=', mailboxId)
        .orderBy('messages.date', 'desc')
        .limit(limit)
        .as('last'),
    )
    .innerJoin('folders', 'folders.id', 'last.folderId')
    .select('last.from')
    .where((is) =>
      is.or([is('folders.role', 'is', null), is('folders.role', 'in', ['inbox', 'archive'])]),
    )
    .orderBy('last.date', 'desc')
    .execute()

/** Of the workspace, or with `readerId` those that this user reads. */
export const colleagues = (db: Db, workspaceId: string, readerId: string | null, limit: number) => {
  const query = db
    .selectFrom('mailboxes')
    .select(['firstName', 'lastName', 'email'])
    .where('mailboxes.workspaceId', '=', workspaceId)
    .orderBy('email')
    .limit(limit)
  if (readerId === null) return query.execute()
  return query
    .innerJoin('mailboxReaders', 'mailboxReaders.mailboxId', 'mailboxes.id')
    .where('mailboxReaders.userId', '=', readerId)
    .execute()
}
