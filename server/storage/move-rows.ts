/** Rows go to another workspace with the domain or the mailbox that they hang on. Each room names its own tables. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export type Move = { domainId: string; mailboxIds: readonly string[]; from: string; to: string }

/** Rows and those that they refer to are written one after the other: whether they fit is looked at when all are (decision 140). */
export const deferReferences = async (tx: Db): Promise<void> => {
  await sql`set constraints all deferred`.execute(tx)
}

export const moveByMailbox = async (
  db: Db,
  { mailboxIds, from, to }: Move,
  tables: readonly string[],
): Promise<void> => {
  for (const table of tables)
    await sql`
      update ${sql.table(table)} set workspace_id = ${to}
      where workspace_id = ${from} and mailbox_id = any(${[...mailboxIds]}::uuid[])`.execute(db)
}

export const moveByDomain = async (
  db: Db,
  { domainId, from, to }: Move,
  tables: readonly string[],
): Promise<void> => {
  for (const table of tables)
    await sql`
      update ${sql.table(table)} set workspace_id = ${to}
      where workspace_id = ${from} and domain_id = ${domainId}`.execute(db)
}
