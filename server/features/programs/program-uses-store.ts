/** Where passwords of mail programs were used, in the database. */
import { sql } from 'kysely'
import { signingRows } from '#server/features/accounts/user-queries.ts'
import { mailboxRows, readerRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { ProgramUsesTable } from '#server/storage/rows/program-tables.ts'

type Use = Pick<ProgramUsesTable, 'workspaceId' | 'mailboxId' | 'userId' | 'appPasswordId'> &
  Pick<ProgramUsesTable, 'network' | 'ip' | 'scope'>

/** A phone meets many networks: of each password, those of the last uses are known. */
const MOST_NETWORKS = 100

/** @returns whether the password was not used from this network before. */
export const writeUse = async (db: Db, use: Use, at: Date): Promise<boolean> => {
  const { workspaceId, mailboxId, userId, appPasswordId, network, ip, scope } = use
  const { rows } = await sql<{ isNew: boolean }>`
    insert into program_uses
      (workspace_id, mailbox_id, user_id, app_password_id, network, ip, scope, first_at, last_at, is_untold)
    values (${workspaceId}, ${mailboxId}, ${userId}, ${appPasswordId}, ${network}, ${ip}, ${scope}, ${at}, ${at}, true)
    on conflict (mailbox_id, user_id, coalesce(app_password_id, user_id), network)
      do update set ip = excluded.ip, scope = excluded.scope, last_at = excluded.last_at
    returning xmax = 0 as is_new`.execute(db)
  return rows[0]?.isNew ?? false
}

/** Which password, wherever it was used. */
const isOf = ({ mailboxId, userId, appPasswordId }: Omit<Use, 'network' | 'ip' | 'scope'>) =>
  sql<boolean>`mailbox_id = ${mailboxId} and user_id = ${userId}
    and coalesce(app_password_id, user_id) = ${appPasswordId ?? userId}`

/** Skips rows that another sign-in deletes at the same moment: waiting for each other would be a deadlock. */
export const deleteOldUses = async (db: Db, use: Use): Promise<void> => {
  await db
    .deleteFrom('programUses')
    .where(isOf(use))
    .where('network', 'in', (of) =>
      of
        .selectFrom('programUses')
        .select('network')
        .where(isOf(use))
        .orderBy('lastAt', 'desc')
        .offset(MOST_NETWORKS)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

export const writeProgram = async (
  db: Db,
  use: Omit<Use, 'ip' | 'scope'>,
  program: string,
): Promise<void> => {
  await db
    .updateTable('programUses')
    .set({ program })
    .where(isOf(use))
    .where('network', '=', use.network)
    .where('program', '!=', program)
    .execute()
}

/** Newest first. */
export const readUses = (
  db: Db,
  { workspaceId, mailboxId, userId }: Pick<Use, 'workspaceId' | 'mailboxId' | 'userId'>,
  most: number,
) =>
  db
    .selectFrom('programUses')
    .leftJoin('appPasswords', 'appPasswords.id', 'programUses.appPasswordId')
    .select(['appPasswords.name', 'programUses.program', 'programUses.ip', 'programUses.scope'])
    .select(['programUses.firstAt', 'programUses.lastAt'])
    .where('programUses.workspaceId', '=', workspaceId)
    .where('programUses.mailboxId', '=', mailboxId)
    .where('programUses.userId', '=', userId)
    .orderBy('programUses.lastAt', 'desc')
    .limit(most)
    .execute()

/** In all mailboxes that the person still reads, in every workspace. */
export const readUsesBy = (db: Db, userId: string, { since, now }: { since: Date; now: Date }) =>
  db
    .selectFrom('programUses')
    .innerJoin(readerRows(db, now).as('reader'), (join) =>
      join
        .onRef('reader.mailboxId', '=', 'programUses.mailboxId')
        .onRef('reader.userId', '=', 'programUses.userId'),
    )
    .innerJoin(mailboxRows(db).as('mailbox'), 'mailbox.id', 'programUses.mailboxId')
    .leftJoin('appPasswords', 'appPasswords.id', 'programUses.appPasswordId')
    .select(['mailbox.email as mailbox', 'programUses.mailboxId', 'appPasswords.name'])
    .select(['programUses.program', 'programUses.ip', 'programUses.scope', 'programUses.lastAt'])
    .where('programUses.userId', '=', userId)
    .where('programUses.lastAt', '>', since)
    .orderBy('programUses.lastAt', 'desc')
    .limit(100)
    .execute()

/** One first use that no mail told of, locked; another worker takes the others. Across workspaces. */
export const lockUntoldUse = (db: Db, before: Date) =>
  db
    .selectFrom('programUses')
    .innerJoin(signingRows(db).as('person'), 'person.id', 'programUses.userId')
    .innerJoin(mailboxRows(db).as('mailbox'), 'mailbox.id', 'programUses.mailboxId')
    .leftJoin('appPasswords', 'appPasswords.id', 'programUses.appPasswordId')
    .select(['programUses.mailboxId', 'programUses.userId', 'programUses.appPasswordId'])
    .select(['programUses.network', 'programUses.ip', 'programUses.scope', 'programUses.program'])
    .select(['programUses.firstAt', 'person.email', 'person.firstName', 'appPasswords.name'])
    .select(['mailbox.email as address', 'programUses.workspaceId'])
    .where('programUses.isUntold', '=', true)
    .where('programUses.firstAt', '<=', before)
    .orderBy('programUses.firstAt')
    .limit(1)
    .forUpdate('programUses')
    .skipLocked()
    .executeTakeFirst()

export type UntoldUse = NonNullable<Awaited<ReturnType<typeof lockUntoldUse>>>

export const noteTold = async (db: Db, use: UntoldUse): Promise<void> => {
  await db
    .updateTable('programUses')
    .set({ isUntold: false })
    .where(isOf(use))
    .where('network', '=', use.network)
    .execute()
}
