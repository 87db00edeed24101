/**
 * Aliases and catch-alls that tie a domain to mailboxes of others, either way. After the domain has moved they would bring
 * one workspace the mail of another, so they end; those within the domain move with it.
 */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { Move } from './moves-store.ts'

const tables = ['aliases', 'catch_alls'] as const

const isTie = (workspaceId: string, domainId: string) => sql`
  workspace_id = ${workspaceId} and (domain_id = ${domainId}) <>
    (mailbox_id in (select id from mailboxes where domain_id = ${domainId}))`

export const countTies = async (db: Db, workspaceId: string, domainId: string): Promise<number> => {
  let ties = 0
  for (const table of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.table(table)} where ${isTie(workspaceId, domainId)}`.execute(db)
    ties += rows[0]?.count ?? 0
  }
  return ties
}

/** The domain and its mailboxes are locked, so that no new ones are made. */
export const endTies = async (db: Db, { domainId, from }: Move): Promise<void> => {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where ${isTie(from, domainId)}`.execute(db)
}
