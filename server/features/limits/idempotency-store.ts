/** Idempotency keys in the database. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { IdempotencyKeysTable } from '#server/storage/rows/developer-tables.ts'

export type IdempotencyRow = Selectable<IdempotencyKeysTable>
export type IdempotencyPlace = Pick<IdempotencyRow, 'workspaceId' | 'callerId' | 'key'>

export type MostKeys = { ofCaller: number; ofWorkspace: number }

/** @returns false when the key is there already, or when the caller or the workspace has the most of them. */
export const insertIdempotency = async (
  db: Db,
  { workspaceId, callerId, key }: IdempotencyPlace,
  { fingerprint, createdAt }: Pick<IdempotencyRow, 'fingerprint' | 'createdAt'>,
  { ofCaller, ofWorkspace }: MostKeys,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into idempotency_keys (workspace_id, caller_id, key, fingerprint, created_at)
    select ${workspaceId}, ${callerId}, ${key}, ${fingerprint}, ${createdAt}
    where (select count(*) from (
        select from idempotency_keys where workspace_id = ${workspaceId} limit ${ofWorkspace}) known) < ${ofWorkspace}
      and (select count(*) from (
        select from idempotency_keys where workspace_id = ${workspaceId} and caller_id = ${callerId}
        limit ${ofCaller}) own) < ${ofCaller}
    on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

const at = (db: Db, { workspaceId, callerId, key }: IdempotencyPlace) =>
  db
    .selectFrom('idempotencyKeys')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('callerId', '=', callerId)
    .where('key', '=', key)

export const readIdempotency = (
  db: Db,
  place: IdempotencyPlace,
): Promise<IdempotencyRow | undefined> => at(db, place).executeTakeFirst()

export const updateIdempotency = async (
  db: Db,
  { workspaceId, callerId, key }: IdempotencyPlace,
  answer: Pick<IdempotencyRow, 'status' | 'answerSealed'>,
): Promise<void> => {
  await db
    .updateTable('idempotencyKeys')
    .set(answer)
    .where('workspaceId', '=', workspaceId)
    .where('callerId', '=', callerId)
    .where('key', '=', key)
    .execute()
}

/** `before`: only when it is older. */
export const deleteIdempotency = async (
  db: Db,
  { workspaceId, callerId, key }: IdempotencyPlace,
  before: Date | null = null,
): Promise<void> => {
  const query = db
    .deleteFrom('idempotencyKeys')
    .where('workspaceId', '=', workspaceId)
    .where('callerId', '=', callerId)
    .where('key', '=', key)
  await (before === null ? query : query.where('createdAt', '<=', before)).execute()
}

export const purgeIdempotency = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('idempotencyKeys').where('createdAt', '<=', before).execute()
}
