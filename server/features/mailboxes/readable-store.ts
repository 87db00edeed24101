import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** The mailbox in this workspace, and whether the user may read its mail. */
export const findReadable = (db: Db, workspaceId: string, userId: string, mailboxId: string) =>
  db
    .selectFrom('mailboxes')
    .leftJoin('mailboxReaders', (join) =>
      join
        .onRef('mailboxReaders.mailboxId', '=', 'mailboxes.id')
        .on('mailboxReaders.userId', '=', userId),
    )
    .select([
      'mailboxes.id',
      'mailboxes.workspaceId',
      'mailboxes.email',
      'mailboxes.firstName',
      'mailboxes.lastName',
      'mailboxes.displayName',
      'mailboxes.status',
      'mailboxReaders.userId as readerId',
    ])
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('mailboxes.id', '=', mailboxId)
    .executeTakeFirst()

/** For each workspace of these mailboxes: its quota, what all its mailboxes use, and how many messages they hold. */
export const storageOf = (db: Db, mailboxIds: readonly string[]) =>
  db
    .selectFrom('workspaces')
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

/** Until the transaction ends nobody else who asks takes room in the workspaces of these mailboxes. */
export const lockStorage = async (tx: Db, mailboxIds: readonly string[]): Promise<void> => {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('storage ' || workspace_id, 0)) from (
      select distinct workspace_id from mailboxes where id = any(${[...mailboxIds]}::uuid[]) order by 1
    ) as theirs`.execute(tx)
}
