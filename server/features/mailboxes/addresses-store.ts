/** Aliases and catch-alls in the database, and which addresses are taken at all. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { AliasesTable, CatchAllsTable } from '#server/storage/rows/mailbox-tables.ts'
import { refuseTaken } from './mailboxes-store.ts'

export type AliasRow = Selectable<AliasesTable>

/** The mailbox that an address belongs to, as its own address or as an alias. */
export type Holder = {
  workspaceId: string
  mailboxEmail: string
  isAlias: boolean
  /** The mailbox was deleted and ends then; null: it was not. */
  endsAt: Date | null
}

/**
 * Which of these addresses exist, in any workspace: an address is unique in the installation. For addresses of locked domains
 * the answer stays true until the transaction ends, because making an address locks its verified domain, of which there is one
 * per name.
 */
export const takenAddresses = async (db: Db, emails: string[]): Promise<Map<string, Holder>> => {
  const rows = await db
    .selectFrom('addresses')
    .leftJoin('aliases', (alias) =>
      alias
        .onRef('aliases.email', '=', 'addresses.email')
        .onRef('aliases.workspaceId', '=', 'addresses.workspaceId'),
    )
    .innerJoin('mailboxes', (mailbox) =>
      mailbox
        .on(sql`coalesce(addresses.mailbox_id, aliases.mailbox_id)`, '=', sql.ref('mailboxes.id'))
        .onRef('mailboxes.workspaceId', '=', 'addresses.workspaceId'),
    )
    .select(['addresses.email', 'addresses.workspaceId'])
    .select(['mailboxes.email as mailboxEmail', 'mailboxes.endsAt'])
    .select(sql<boolean>`addresses.mailbox_id is null`.as('isAlias'))
    .where('addresses.email', '=', sql<string>`any(${emails}::text[])`)
    .execute()
  return new Map(rows.map(({ email, ...holder }) => [email, holder]))
}

/** Oldest first. */
export const readAliases = (db: Db, workspaceId: string, mailboxId: string): Promise<AliasRow[]> =>
  db
    .selectFrom('aliases')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const countAliases = async (
  db: Db,
  workspaceId: string,
  mailboxId: string,
): Promise<number> => {
  const { count } = await db
    .selectFrom('aliases')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns false when another alias of the workspace has the address. @throws ADDRESS_TAKEN when somebody else has it */
export const insertAlias = async (db: Db, alias: Insertable<AliasesTable>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('aliases')
    .values(alias)
    .onConflict((conflict) => conflict.constraint('aliases_email_key').doNothing())
    .executeTakeFirstOrThrow()
    .catch(refuseTaken('ADDRESS_TAKEN'))
  return numInsertedOrUpdatedRows === 1n
}

export const deleteAlias = async (
  db: Db,
  { workspaceId, mailboxId, id }: Pick<AliasRow, 'workspaceId' | 'mailboxId' | 'id'>,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('aliases')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const putCatchAll = async (db: Db, catchAll: CatchAllsTable): Promise<void> => {
  const { mailboxId } = catchAll
  await db
    .insertInto('catchAlls')
    .values(catchAll)
    .onConflict((conflict) => conflict.constraint('catch_alls_pkey').doUpdateSet({ mailboxId }))
    .execute()
}

export const deleteCatchAll = async (
  db: Db,
  workspaceId: string,
  domainId: string,
): Promise<void> => {
  await db
    .deleteFrom('catchAlls')
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .execute()
}
