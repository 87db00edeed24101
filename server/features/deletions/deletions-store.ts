/** What waits for its end in a workspace. */
import { type SqlBool, sql } from 'kysely'
import { deletedDomainRows } from '#server/features/domains/deleted-queries.ts'
import { deletedMailboxRows } from '#server/features/mailboxes/deleted-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'

type Asked = {
  workspaceId: string
  limit: number
  after: PagePosition | null
  /** null: all. */
  kind: 'domain' | 'mailbox' | null
  id: string | null
}

/** The last end first. Each half is read by its index and cut before they are put together. */
export const readDeleted = (db: Db, { workspaceId, limit, after, kind, id }: Asked) => {
  const isBefore = after
    ? sql<SqlBool>`(ends_at, id) < (${after.at}, ${after.id}::uuid)`
    : sql<SqlBool>`true`
  const isIt = id === null ? sql<SqlBool>`true` : sql<SqlBool>`id = ${id}`
  const isOf = (each: 'domain' | 'mailbox') =>
    kind === null || kind === each ? sql<SqlBool>`true` : sql<SqlBool>`false`
  const count = db
    .selectFrom(mailboxRows(db).as('mailboxes'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mailboxes.domainId', '=', sql.ref<string>('domains.id'))
    .$asScalar()
    .$notNull()
  const domains = deletedDomainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where(isBefore)
    .where(isIt)
    .where(isOf('domain'))
    .orderBy('endsAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  const mailboxes = deletedMailboxRows(db)
    .where('workspaceId', '=', workspaceId)
    .where(isBefore)
    .where(isIt)
    .where(isOf('mailbox'))
    .orderBy('endsAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  return db
    .selectFrom(
      db
        .selectFrom(domains.as('domains'))
        .select(['id', 'name', 'endsAt', 'deletedBy'])
        .select([sql<'domain' | 'mailbox'>`'domain'`.as('kind'), count.as('mailboxes')])
        .unionAll(
          db
            .selectFrom(mailboxes.as('boxes'))
            .select(['id', 'email as name', 'endsAt', 'deletedBy'])
            .select(sql<'domain' | 'mailbox'>`'mailbox'`.as('kind'))
            .select(sql<number>`1`.as('mailboxes')),
        )
        .as('deleted'),
    )
    .selectAll()
    .orderBy('endsAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
