/** For later rooms: reads, locks and writes mailboxes and the rights to read them. */
import { type Selectable, sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import { noteEvents } from '#server/features/webhooks/event-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxesTable } from '#server/storage/rows/mailbox-tables.ts'

export type MailboxRow = Selectable<MailboxesTable>

export const mailboxRows = (db: Db) =>
  db
    .selectFrom('mailboxes')
    .select(['id', 'workspaceId', 'domainId', 'email', 'firstName', 'lastName', 'displayName'])
    .select(['status', 'usedBytes', 'endsAt', 'createdAt'])

/** The id of the mailbox that has the address as its own or as an alias; no +tag, no catch-all. */
export const mailboxIdAt = (db: Db, address: string) =>
  db
    .selectFrom('mailboxes')
    .select('id')
    .where('email', '=', address)
    .unionAll(db.selectFrom('aliases').select('mailboxId as id').where('email', '=', address))

export const aliasRows = (db: Db) =>
  db.selectFrom('aliases').select(['id', 'workspaceId', 'mailboxId', 'email'])

export const catchAllRows = (db: Db) =>
  db.selectFrom('catchAlls').select(['domainId', 'mailboxId', 'workspaceId'])

/** Whether a right to read in a query of `mailboxReaders` has not ended: a job deletes it a little later. */
export const isOpenRight = (now: Date) =>
  sql<boolean>`(mailbox_readers.ends_at is null or mailbox_readers.ends_at > ${now})`

/** The readers of mailboxes at this time. */
export const readerRows = (db: Db, now: Date) =>
  db
    .selectFrom('mailboxReaders')
    .select(['mailboxId', 'userId', 'workspaceId', 'origin', 'canSend'])
    .where(isOpenRight(now))

/** The mailbox in this workspace, deleted or not, and whether the user may read its mail and send as it. */
export const findReadable = (
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  mailboxId: string,
  now: Date,
) =>
  db
    .selectFrom('mailboxes')
    .leftJoin('mailboxReaders', (join) =>
      join
        .onRef('mailboxReaders.mailboxId', '=', 'mailboxes.id')
        .onRef('mailboxReaders.workspaceId', '=', 'mailboxes.workspaceId')
        .on('mailboxReaders.userId', '=', userId)
        .on(isOpenRight(now)),
    )
    .select([
      'mailboxes.id',
      'mailboxes.workspaceId',
      'mailboxes.email',
      'mailboxes.firstName',
      'mailboxes.lastName',
      'mailboxes.displayName',
      'mailboxes.status',
      'mailboxes.endsAt',
      'mailboxes.modseq',
      'mailboxReaders.userId as readerId',
      'mailboxReaders.canSend',
    ])
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('mailboxes.id', '=', mailboxId)
    .executeTakeFirst()

/** The mailbox of this workspace whose holder the user is. */
export const findHeld = (db: Db, workspaceId: string, userId: string) =>
  db
    .selectFrom('mailboxes')
    .innerJoin(userRows(db).as('users'), 'users.mailboxId', 'mailboxes.id')
    .select(['mailboxes.id', 'mailboxes.workspaceId', 'mailboxes.email', 'mailboxes.displayName'])
    .select(['mailboxes.firstName', 'mailboxes.lastName', 'mailboxes.status', 'mailboxes.endsAt'])
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('users.id', '=', userId)
    .executeTakeFirst()

/** Not one that was deleted. */
export const readMailbox = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<MailboxRow | undefined> => oneMailbox(db, workspaceId, id).executeTakeFirst()

/** Deleted or not. */
export const readAnyMailbox = (db: Db, workspaceId: string, id: string) =>
  mailboxRows(db).where('workspaceId', '=', workspaceId).where('id', '=', id).executeTakeFirst()

/** Locks the mailbox, unless it was deleted, against changes, deletion and new mail until the transaction ends. */
export const lockMailbox = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<MailboxRow | undefined> => oneMailbox(db, workspaceId, id).forUpdate().executeTakeFirst()

const oneMailbox = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('endsAt', 'is', null)

/** Locks several mailboxes, without deleted ones, in the order of their ids, which prevents deadlocks. */
export const lockMailboxes = async (db: Db, workspaceId: string, ids: string[]) =>
  mailboxRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('endsAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

/** The mailboxes of a domain, deleted or not, in the order of their ids. */
export const mailboxesOf = (db: Db, workspaceId: string, domainId: string) =>
  ofDomain(db, workspaceId, domainId).execute()

/** Like `mailboxesOf`, and no mail is filed in them until the transaction ends. */
export const lockMailboxesOf = (db: Db, workspaceId: string, domainId: string) =>
  ofDomain(db, workspaceId, domainId).forUpdate().execute()

const ofDomain = (db: Db, workspaceId: string, domainId: string) =>
  mailboxRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .orderBy('id')

/** Serialises changes of the mailbox's mail. */
export const lockMailOf = async (db: Db, mailboxId: string): Promise<void> => {
  await mailboxRows(db).where('id', '=', mailboxId).forNoKeyUpdate().execute()
}

/** Prevents deletion and moves to another workspace until the transaction ends. false: no such mailbox. */
export const holdMailbox = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  (await mailboxRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()) !== undefined

export const activateMailboxes = async (
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<void> => {
  await db
    .updateTable('mailboxes')
    .set({ status: 'active' })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** For webhooks. */
export const mailboxEvent = <Topic extends 'mailbox.created' | 'mailbox.suspended'>(
  topic: Topic,
  { id, workspaceId, email }: Pick<MailboxRow, 'id' | 'workspaceId' | 'email'>,
  at: Date,
) => ({ topic, workspaceId, about: id, at, data: { mailboxId: id, mailbox: email } })

/** Suspends the active ones among these because they were not paid for. @returns their ids. */
export const suspendOverdue = async (
  db: Db,
  workspaceId: string,
  ids: string[],
  at: Date,
): Promise<string[]> => {
  const rows = await db
    .updateTable('mailboxes')
    .set({ status: 'suspended', isOverdue: true })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'active')
    .returning(['id', 'workspaceId', 'email'])
    .execute()
  await noteEvents(
    db,
    rows.map((row) => mailboxEvent('mailbox.suspended', row, at)),
  )
  return rows.map(({ id }) => id)
}

/** Resumes the ones among these that were suspended because they were not paid for. @returns their ids. */
export const resumeOverdue = async (
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<string[]> => {
  const rows = await db
    .updateTable('mailboxes')
    .set({ status: 'active', isOverdue: false })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('isOverdue', '=', true)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const addUsedBytes = async (db: Db, mailboxId: string, bytes: number): Promise<void> => {
  await db
    .updateTable('mailboxes')
    .set((set) => ({ usedBytes: set('usedBytes', '+', bytes) }))
    .where('id', '=', mailboxId)
    .execute()
}

/** Subtracts the bytes of deleted messages. */
export const subtractUsedBytes = async (
  db: Db,
  mailboxId: string,
  bytes: number,
): Promise<void> => {
  await db
    .updateTable('mailboxes')
    .set((set) => ({ usedBytes: set('usedBytes', '-', bytes) }))
    .where('id', '=', mailboxId)
    .execute()
}

/** A subquery: the number of mailboxes of each domain in a query of domains. */
export const countOfMailboxes = (db: Db, domainId: 'domains.id') =>
  db
    .selectFrom('mailboxes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('mailboxes.domainId', '=', sql.ref<string>(domainId))
    .$asScalar()
    .$notNull()

/** Number of the domain's mailboxes that receive mail. */
export const countReceiving = async (db: Db, domainId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('mailboxes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domainId', '=', domainId)
    .where('status', 'in', ['active', 'suspended'])
    .executeTakeFirstOrThrow()
  return count
}

/** The mailbox that gets mail for unknown addresses of the domain; null without one. */
export const catchAllOf = async (db: Db, domainId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('catchAlls')
    .innerJoin('mailboxes', (on) =>
      on
        .onRef('mailboxes.id', '=', 'catchAlls.mailboxId')
        .onRef('mailboxes.workspaceId', '=', 'catchAlls.workspaceId'),
    )
    .select('mailboxes.email')
    .where('catchAlls.domainId', '=', domainId)
    .executeTakeFirst()
  return row?.email ?? null
}

/** Number of the domain's mailboxes in any status. */
export const countMailboxesOf = async (db: Db, domainId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('mailboxes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domainId', '=', domainId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Call before a domain and its mailboxes are deleted: deleting mailboxes locks them and then all aliases on the domain or of
 * them in the order of their ids, which prevents deadlocks.
 */
export const lockToDelete = async (db: Db, domainId: string): Promise<void> => {
  const mailboxes = db.selectFrom('mailboxes').select('id').where('domainId', '=', domainId)
  await mailboxes.orderBy('id').forUpdate().execute()
  await db
    .selectFrom('aliases')
    .select('id')
    .where(({ or, eb }) => or([eb('domainId', '=', domainId), eb('mailboxId', 'in', mailboxes)]))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** For each workspace of these mailboxes: its quota, what all its mailboxes use, and how many messages they hold. */
export const storageOf = (db: Db, mailboxIds: readonly string[]) =>
  db
    .selectFrom(workspaceRows(db).as('workspaces'))
    .select((select) => [
      'workspaces.storageQuotaBytes as quotaBytes',
      select
        .selectFrom('mailboxes')
        .select(sql<number>`coalesce(sum(used_bytes), 0)::bigint`.as('used'))
        .whereRef('mailboxes.workspaceId', '=', 'workspaces.id')
        .as('usedBytes'),
      select
        .selectFrom('folders')
        .select(sql<number>`coalesce(sum(message_count), 0)::bigint`.as('count'))
        .whereRef('folders.workspaceId', '=', 'workspaces.id')
        .as('messages'),
    ])
    .where('workspaces.id', 'in', (find) =>
      find.selectFrom('mailboxes').select('workspaceId').where('mailboxes.id', 'in', mailboxIds),
    )
    .execute()

/** Locks the storage of these mailboxes' workspaces against other reservations until the transaction ends. */
export const lockStorage = async (tx: Db, mailboxIds: readonly string[]): Promise<void> => {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('storage ' || workspace_id, 0)) from (
      select distinct workspace_id from mailboxes where id = any(${[...mailboxIds]}::uuid[]) order by 1
    ) as theirs`.execute(tx)
}

/** Free bytes of the workspace; negative when it is over its quota. */
export const freeBytes = async (db: Db, workspaceId: string): Promise<number> => {
  const { quota, used } = await db
    .selectFrom(workspaceRows(db).as('workspaces'))
    .select((select) => [
      'storageQuotaBytes as quota',
      select
        .selectFrom('mailboxes')
        .select(sql<number>`coalesce(sum(used_bytes), 0)::bigint`.as('used'))
        .whereRef('mailboxes.workspaceId', '=', 'workspaces.id')
        .$asScalar()
        .$notNull()
        .as('used'),
    ])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return quota - used
}
