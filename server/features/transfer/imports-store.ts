/** Imports, the pieces of their files, and the messages that failed. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { messageRows } from '#server/features/messages/message-queries.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import type { Db } from '#server/storage/database.ts'
import type {
  MailImportChunksTable,
  MailImportFaultsTable,
  MailImportsTable,
} from '#server/storage/rows/mailbox-setting-tables.ts'

export type ImportRow = Selectable<MailImportsTable>
export type Place = { workspaceId: string; mailboxId: string }

const LATEST = 5

const importsOf = (db: Db, { workspaceId, mailboxId }: Place) =>
  db
    .selectFrom('mailImports')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)

export const latestImports = (db: Db, place: Place): Promise<ImportRow[]> =>
  importsOf(db, place).orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(LATEST).execute()

export const readImport = (db: Db, place: Place, id: string): Promise<ImportRow | undefined> =>
  importsOf(db, place).where('id', '=', id).executeTakeFirst()

export const lockImport = (db: Db, place: Place, id: string): Promise<ImportRow | undefined> =>
  importsOf(db, place).where('id', '=', id).forUpdate().executeTakeFirst()

export const findOpenImport = (db: Db, place: Place): Promise<ImportRow | undefined> =>
  importsOf(db, place).where('state', 'in', ['uploading', 'running', 'stopped']).executeTakeFirst()

/** undefined: another import is open. */
export const insertImport = (
  db: Db,
  row: Insertable<MailImportsTable>,
): Promise<ImportRow | undefined> =>
  db
    .insertInto('mailImports')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const changeImport = (
  db: Db,
  { workspaceId, id }: Pick<ImportRow, 'workspaceId' | 'id'>,
  change: Updateable<MailImportsTable>,
): Promise<ImportRow> =>
  db
    .updateTable('mailImports')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Bytes of a workspace's uploads that are not completely read. */
export const openImportBytes = async (db: Db, workspaceId: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('mailImports')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'))
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['uploading', 'running', 'stopped'])
    .executeTakeFirstOrThrow()
  return bytes
}

/** Bytes received of a workspace's uploads that were abandoned since then. */
export const cancelledImportBytes = async (
  db: Db,
  workspaceId: string,
  since: Date,
): Promise<number> => {
  const { bytes } = await db
    .selectFrom('mailImports')
    .select(sql<number>`coalesce(sum(received_bytes), 0)::bigint`.as('bytes'))
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'cancelled')
    .where('touchedAt', '>', since)
    .executeTakeFirstOrThrow()
  return bytes
}

/** Stops the import unless it progressed since then or is finished. @returns whether it was stopped. */
export const stopImport = async (
  db: Db,
  { workspaceId, id }: ImportRow,
  { since, reason }: { since: Date; reason: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mailImports')
    .set({ state: 'stopped', reason, claimedUntil: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('touchedAt', '<', since)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Claims the next free import, of the workspace whose last batch is oldest. A lease that ends after
 * `until` was written before the clock was set back.
 */
export const claimImport = (db: Db, now: Date, until: Date): Promise<ImportRow | undefined> =>
  db
    .updateTable('mailImports')
    .set({ claimedUntil: until })
    .where('id', 'in', (from) =>
      from
        .selectFrom('mailImports as next')
        .select('next.id')
        .where('next.state', '=', 'running')
        .where((is) =>
          is.or([
            is('next.claimedUntil', 'is', null),
            is('next.claimedUntil', '<', now),
            is('next.claimedUntil', '>', until),
          ]),
        )
        .orderBy(
          (of) =>
            of
              .selectFrom('mailImports as theirs')
              .select(({ fn }) => fn.max('theirs.touchedAt').as('last'))
              .whereRef('theirs.workspaceId', '=', 'next.workspaceId')
              .where('theirs.state', '=', 'running')
              .where('theirs.readBytes', '>', 0),
          (order) => order.asc().nullsFirst(),
        )
        .orderBy('next.touchedAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()

/** Whether another import is free. */
export const doesAnotherWait = async (
  db: Db,
  { workspaceId, id }: ImportRow,
  now: Date,
): Promise<boolean> => {
  const { rows } = await sql`
    select from mail_imports
    where state = 'running' and (claimed_until is null or claimed_until < ${now})
      and (workspace_id, id) <> (${workspaceId}, ${id}) limit 1`.execute(db)
  return rows.length > 0
}

export const insertChunk = async (
  db: Db,
  chunk: Insertable<MailImportChunksTable>,
): Promise<void> => {
  await db.insertInto('mailImportChunks').values(chunk).execute()
}

/** The piece that contains this byte. */
export const readChunk = (db: Db, { workspaceId, id }: ImportRow, byte: number) =>
  db
    .selectFrom('mailImportChunks')
    .select(['startByte', 'sizeBytes', 'blob'])
    .where('workspaceId', '=', workspaceId)
    .where('importId', '=', id)
    .where('startByte', '<=', byte)
    .orderBy('startByte', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The next blob sweep deletes their bytes. */
export const deleteChunks = async (db: Db, { workspaceId, id }: ImportRow): Promise<void> => {
  await db
    .deleteFrom('mailImportChunks')
    .where('workspaceId', '=', workspaceId)
    .where('importId', '=', id)
    .execute()
}

export const insertFaults = async (
  db: Db,
  faults: Insertable<MailImportFaultsTable>[],
): Promise<void> => {
  if (faults.length > 0) await db.insertInto('mailImportFaults').values(faults).execute()
}

export const readFaults = (db: Db, workspaceId: string, importIds: readonly string[]) =>
  db
    .selectFrom('mailImportFaults')
    .select(['importId', 'n', 'subject', 'reason'])
    .where('workspaceId', '=', workspaceId)
    .where('importId', '=', sql<string>`any(${[...importIds]}::uuid[])`)
    .orderBy('startByte')
    .execute()

/** The hashes of messages in the mailbox that have one of these Message-IDs and sizes. */
export const knownHashes = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  messages: readonly { messageId: string; size: number }[],
): Promise<Set<string>> => {
  const [ids, sizes] = [messages.map((m) => m.messageId), messages.map((m) => m.size)]
  const rows = await messageRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where(
      sql<boolean>`(message_id, size_bytes) in (select * from unnest(${ids}::text[], ${sizes}::bigint[]))`,
    )
    .execute()
  return new Set(rows.map(({ blob }) => hashIn(blob)))
}

/** Abandoned uploads. */
export const cancelIdle = async (db: Db, before: Date): Promise<void> => {
  await db
    .with('idle', (rows) =>
      rows
        .updateTable('mailImports')
        .set({ state: 'cancelled' })
        .where('state', 'in', ['uploading', 'stopped'])
        .where('touchedAt', '<', before)
        .returning('id'),
    )
    .deleteFrom('mailImportChunks')
    .using('idle')
    .whereRef('importId', '=', 'idle.id')
    .execute()
}
