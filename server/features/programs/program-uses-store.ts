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

/** Which password, wherever it was used. */
const isOf = ({ mailboxId, userId, appPasswordId }: Omit<Use, 'network' | 'ip' | 'scope'>) =>
  sql<boolean>`mailbox_id = ${mailboxId} and user_id = ${userId}
    and coalesce(app_password_id, user_id) = ${appPasswordId ?? userId}`

/** @returns whether the password was not used from this network before. */
export const writeUse = async (db: Db, use: Use, at: Date): Promise<boolean> => {
  if (await writeLastUse(db, use, at)) return false
  const { workspaceId, mailboxId, userId, appPasswordId, network, ip, scope } = use
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('programUses')
    .values({
      ...{ workspaceId, mailboxId, userId, appPasswordId, network, ip, scope, program: '' },
      ...{ firstAt: at, lastAt: at, isUntold: true },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return true
  // Another sign-in was faster.
  await writeLastUse(db, use, at)
  return false
}

const writeLastUse = async (db: Db, use: Use, at: Date): Promise<boolean> => {
  const { network, ip, scope } = use
  const { numUpdatedRows } = await db
    .updateTable('programUses')
    .set({ ip, scope, lastAt: at })
    .where(isOf(use))
    .where('network', '=', network)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

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
    .leftJoin('appPasswords', (on) =>
      on
        .onRef('appPasswords.id', '=', 'programUses.appPasswordId')
        .onRef('appPasswords.workspaceId', '=', 'programUses.workspaceId'),
    )
    .select(['appPasswords.name', 'programUses.program', 'programUses.ip', 'programUses.scope'])
    .select(['programUses.firstAt', 'programUses.lastAt'])
    .where('programUses.workspaceId', '=', workspaceId)
    .where('programUses.mailboxId', '=', mailboxId)
    .where('programUses.userId', '=', userId)
    .orderBy('programUses.lastAt', 'desc')
    .limit(most)
    .execute()

/** With the mailbox and, where one was used, the app password. */
const namedUses = (db: Db) =>
  db
    .selectFrom('programUses')
    .innerJoin(mailboxRows(db).as('mailbox'), (on) =>
      on
        .onRef('mailbox.id', '=', 'programUses.mailboxId')
        .onRef('mailbox.workspaceId', '=', 'programUses.workspaceId'),
    )
    .leftJoin('appPasswords', (on) =>
      on
        .onRef('appPasswords.id', '=', 'programUses.appPasswordId')
        .onRef('appPasswords.workspaceId', '=', 'programUses.workspaceId'),
    )

/** In all mailboxes that the person still reads, in every workspace. */
export const readUsesBy = (db: Db, userId: string, { since, now }: { since: Date; now: Date }) =>
  namedUses(db)
    .innerJoin(readerRows(db, now).as('reader'), (join) =>
      join
        .onRef('reader.mailboxId', '=', 'programUses.mailboxId')
        .onRef('reader.userId', '=', 'programUses.userId')
        .onRef('reader.workspaceId', '=', 'programUses.workspaceId'),
    )
    .select(['mailbox.email as mailbox', 'programUses.mailboxId', 'appPasswords.name'])
    .select(['programUses.program', 'programUses.ip', 'programUses.scope', 'programUses.lastAt'])
    .where('programUses.userId', '=', userId)
    .where('programUses.lastAt', '>', since)
    .orderBy('programUses.lastAt', 'desc')
    .limit(100)
    .execute()

/** One first use that no mail told of, locked; another worker takes the others. Across workspaces. */
export const lockUntoldUse = (db: Db, before: Date) =>
  namedUses(db)
    .innerJoin(signingRows(db).as('person'), 'person.id', 'programUses.userId')
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
