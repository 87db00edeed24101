/** API keys in the database. */
import { type Insertable, sql, type Updateable } from 'kysely'
import type { CallerRole } from '#contract/rights.ts'
import { actingRows } from '#server/features/accounts/user-queries.ts'
import { factorDueAt } from '#server/features/factors/required-factor-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { ApiKeysTable } from '#server/storage/rows/developer-tables.ts'

const shown = [
  ...(['id', 'workspaceId', 'userId', 'kind', 'name', 'ending', 'scopes'] as const),
  ...(['domainIds', 'mailboxIds', 'ips', 'createdAt', 'expiresAt'] as const),
  ...(['lastUsedAt', 'lastUsedIp'] as const),
] as const

/** With the person that it acts as: a member, or the holder of a mailbox. */
const withMaker = (db: Db) =>
  db
    .selectFrom('apiKeys')
    .innerJoin(actingRows(db).as('person'), 'person.id', 'apiKeys.userId')
    .leftJoin(memberRows(db).as('member'), (join) =>
      join
        .onRef('member.userId', '=', 'apiKeys.userId')
        .onRef('member.workspaceId', '=', 'apiKeys.workspaceId')
        .on('apiKeys.ofHolder', '=', false),
    )
    .leftJoin(mailboxRows(db).as('held'), (join) =>
      join
        .onRef('held.id', '=', 'person.mailboxId')
        .onRef('held.workspaceId', '=', 'apiKeys.workspaceId')
        .on('apiKeys.ofHolder', '=', true),
    )
    .where((is) => is.or([is('member.role', 'is not', null), is('held.id', 'is not', null)]))
    .select(shown.map((column) => `apiKeys.${column}` as const))
    .select(
      factorDueAt({
        ...{ userId: 'person.id', bornAt: 'person.createdAt' },
        ...{
          workspaceId: sql`api_keys.workspace_id`,
          joinedAt: sql`coalesce(member.created_at, person.created_at)`,
        },
      }).as('factorDueAt'),
    )
    .select(sql<CallerRole>`coalesce(member.role, 'Holder')`.as('role'))
    .select(['person.firstName', 'person.lastName', 'person.email', 'person.avatar'])
    .select(['person.mailboxId', 'person.appPasswordsFrom', 'person.endsAt'])
    .select('held.status as heldStatus')

export type KeyOwner = {
  workspaceId: string
  userId: string
  /** Also those of the workspace. */
  seesWorkspaceKeys: boolean
}

const keysOf = (db: Db, { workspaceId, userId, seesWorkspaceKeys }: KeyOwner) =>
  withMaker(db)
    .where('apiKeys.workspaceId', '=', workspaceId)
    .where((is) =>
      is.or([
        is('apiKeys.userId', '=', userId),
        ...(seesWorkspaceKeys ? [is('apiKeys.kind', '=', 'workspace')] : []),
      ]),
    )

/** Newest first. */
export const readKeys = (db: Db, owner: KeyOwner) =>
  keysOf(db, owner).orderBy('apiKeys.createdAt', 'desc').orderBy('apiKeys.id', 'desc').execute()

export type KeyRow = Awaited<ReturnType<typeof readKeys>>[number]

export const readKey = (db: Db, owner: KeyOwner, id: string): Promise<KeyRow | undefined> =>
  keysOf(db, owner).where('apiKeys.id', '=', id).executeTakeFirst()

/** By an index of hashes. */
export const findKeyByHash = (db: Db, secretHash: Buffer): Promise<KeyRow | undefined> =>
  withMaker(db).where('apiKeys.secretHash', '=', secretHash).executeTakeFirst()

export const findKeysByIds = (db: Db, ids: readonly string[]): Promise<KeyRow[]> =>
  withMaker(db)
    .where('apiKeys.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()

/** Counts one after another, so that two made at once do not pass the limit. */
export const lockKeys = async (db: Db, workspaceId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys ${workspaceId}`}, 0))`.execute(
    db,
  )
}

/** Of the workspace, or of one person. */
export const countKeys = async (
  db: Db,
  { workspaceId, userId, kind }: Pick<ApiKeysTable, 'workspaceId' | 'userId' | 'kind'>,
): Promise<number> => {
  const query = db
    .selectFrom('apiKeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', kind)
  const counted = kind === 'person' ? query.where('userId', '=', userId) : query
  return (await counted.executeTakeFirstOrThrow()).count
}

export const insertKey = async (db: Db, row: Insertable<ApiKeysTable>): Promise<void> => {
  await db.insertInto('apiKeys').values(row).execute()
}

export const updateKey = async (
  db: Db,
  { workspaceId, id }: Pick<ApiKeysTable, 'workspaceId' | 'id'>,
  change: Updateable<ApiKeysTable>,
): Promise<void> => {
  await db
    .updateTable('apiKeys')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export const deleteKey = async (
  db: Db,
  { workspaceId, id }: Pick<ApiKeysTable, 'workspaceId' | 'id'>,
): Promise<void> => {
  await db
    .deleteFrom('apiKeys')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Not an earlier use than is known: requests end in any order. */
export const writeKeyUse = async (db: Db, id: string, at: Date, ip: string): Promise<void> => {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: at, lastUsedIp: ip })
    .where('id', '=', id)
    .where((is) => is.or([is('lastUsedAt', 'is', null), is('lastUsedAt', '<', at)]))
    .execute()
}
