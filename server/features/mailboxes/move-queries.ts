/** Moves a domain's mailboxes, their folders, addresses and readers to another workspace. */
import { sql } from 'kysely'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByDomain, moveByMailbox } from '#server/storage/move-rows.ts'

/** Readers who are not members of the new workspace lose the right, and access links end. */
export const moveReadersAndFolders = async (db: Db, move: Move): Promise<void> => {
  const { mailboxIds, from, to } = move
  const isMoving = sql<boolean>`mailbox_id = any(${[...mailboxIds]}::uuid[])`
  await db.deleteFrom('accessLinks').where('workspaceId', '=', from).where(isMoving).execute()
  await db
    .deleteFrom('mailboxReaders')
    .where('workspaceId', '=', from)
    .where(isMoving)
    .where('userId', 'not in', (of) =>
      of
        .selectFrom(memberRows(db).as('members'))
        .select('members.userId')
        .where('members.workspaceId', '=', to),
    )
    .execute()
  await moveByMailbox(db, move, ['mailbox_readers', 'folders'])
}

/** Moves the mailboxes and their addresses. Call after their dependent rows have moved. */
export const moveMailboxRows = (db: Db, move: Move): Promise<void> =>
  moveByDomain(db, move, ['mailboxes', 'aliases', 'catch_alls'])

/**
 * Moves the access log of the domain's mailboxes, including deleted ones: otherwise mail could be read in the other workspace and
 * come back with an empty log. Entries about moves stay; they name the domain and no address.
 */
export const moveEntries = async (
  db: Db,
  { mailboxIds, from, to }: Move,
  domainName: string,
): Promise<void> => {
  await db
    .updateTable('accessEntries')
    .set({ workspaceId: to })
    .where('workspaceId', '=', from)
    .where(
      sql<boolean>`(mailbox_id = any(${[...mailboxIds]}::uuid[])
        or mailbox_id is null and split_part(mailbox_email, '@', 2) = ${domainName})`,
    )
    .execute()
}

/**
 * Aliases and catch-alls between this domain and mailboxes of other domains, in both directions. After the move they would
 * deliver mail of one workspace to another, so they are deleted; those within the domain move with it.
 */
const tied = ['aliases', 'catch_alls'] as const

const isTie = (workspaceId: string, domainId: string) => sql`
  workspace_id = ${workspaceId} and (domain_id = ${domainId}) <>
    (mailbox_id in (select id from mailboxes where domain_id = ${domainId}))`

export const countTies = async (db: Db, workspaceId: string, domainId: string): Promise<number> => {
  let ties = 0
  for (const table of tied) {
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.table(table)} where ${isTie(workspaceId, domainId)}`.execute(db)
    ties += rows[0]?.count ?? 0
  }
  return ties
}

/** The caller has locked the domain and its mailboxes, so that no new ones are made. */
export const endTies = async (db: Db, { domainId, from }: Move): Promise<void> => {
  for (const table of tied)
    await sql`delete from ${sql.table(table)} where ${isTie(from, domainId)}`.execute(db)
}

export const countMessagesOf = async (
  db: Db,
  workspaceId: string,
  domainId: string,
): Promise<number> => {
  const { count } = await db
    .selectFrom('folders')
    .innerJoin('mailboxes', (on) =>
      on
        .onRef('mailboxes.id', '=', 'folders.mailboxId')
        .onRef('mailboxes.workspaceId', '=', 'folders.workspaceId'),
    )
    .select(sql<number>`coalesce(sum(message_count), 0)::bigint`.as('count'))
    .where('mailboxes.workspaceId', '=', workspaceId)
    .where('mailboxes.domainId', '=', domainId)
    .executeTakeFirstOrThrow()
  return count
}
