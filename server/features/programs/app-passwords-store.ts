/** App passwords in the database. Each person sees and ends only their own. */
import { type Insertable, sql } from 'kysely'
import type { CallerRole } from '#contract/rights.ts'
import { signingRows } from '#server/features/accounts/user-queries.ts'
import { hasFactor } from '#server/features/factors/factor-queries.ts'
import { factorDueAt } from '#server/features/factors/required-factor-queries.ts'
import { mailboxIdAt, mailboxRows, readerRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { AppPasswordsTable } from '#server/storage/rows/program-tables.ts'

export type Owner = { workspaceId: string; mailboxId: string; userId: string }

/** Not of the time before the person's password was set anew by a link. */
const isStanding = sql<boolean>`app_passwords.created_at >= coalesce(person.app_passwords_from, '-infinity')`

const ownPasswords = (db: Db, { workspaceId, mailboxId, userId }: Owner) =>
  db
    .selectFrom('appPasswords')
    .innerJoin(signingRows(db).as('person'), 'person.id', 'appPasswords.userId')
    .where('appPasswords.workspaceId', '=', workspaceId)
    .where('appPasswords.mailboxId', '=', mailboxId)
    .where('appPasswords.userId', '=', userId)
    .where(isStanding)

/** Newest first, each with its last use. */
export const readAppPasswords = (db: Db, owner: Owner) =>
  ownPasswords(db, owner)
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('programUses')
          .select(['lastAt', 'ip', 'scope', 'program'])
          .whereRef('programUses.appPasswordId', '=', 'appPasswords.id')
          .orderBy('lastAt', 'desc')
          .limit(1)
          .as('used'),
      (join) => join.onTrue(),
    )
    .select(['appPasswords.id', 'appPasswords.name', 'appPasswords.scopes'])
    .select(['appPasswords.createdAt', 'appPasswords.expiresAt'])
    .select(['used.lastAt', 'used.ip', 'used.scope', 'used.program'])
    .orderBy('appPasswords.createdAt', 'desc')
    .orderBy('appPasswords.id', 'desc')
    .execute()

export type AppPasswordRow = Awaited<ReturnType<typeof readAppPasswords>>[number]

/** Counts one after another, so that two made at once do not pass the limit. */
export const lockAppPasswords = async (db: Db, { mailboxId, userId }: Owner): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`app passwords ${mailboxId} ${userId}`}, 0))`.execute(
    db,
  )
}

export const countAppPasswords = async (db: Db, owner: Owner): Promise<number> => {
  const { count } = await ownPasswords(db, owner)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Those that do not stand any more, as nobody sees them. */
export const deleteFormerPasswords = async (db: Db, owner: Owner): Promise<void> => {
  await db
    .deleteFrom('appPasswords')
    .where('mailboxId', '=', owner.mailboxId)
    .where('userId', '=', owner.userId)
    .where('id', 'not in', ownPasswords(db, owner).select('appPasswords.id'))
    .execute()
}

export const insertAppPassword = async (
  db: Db,
  row: Insertable<AppPasswordsTable>,
): Promise<void> => {
  await db.insertInto('appPasswords').values(row).execute()
}

/** @returns false when the person has no such one there. */
export const deleteAppPassword = async (
  db: Db,
  { workspaceId, mailboxId, userId }: Owner,
  id: string,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('appPasswords')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** null: a person who is in the workspace no more. */
const roleOfPerson = sql<CallerRole | null>`
  case when person.mailbox_id is null then member.role else 'Holder' end`

/** What decides whether a reader's program may stay: the mailbox, the right to read it, and who the reader is. */
const signIns = (db: Db, now: Date) =>
  db
    .selectFrom(readerRows(db, now).as('reader'))
    .innerJoin(mailboxRows(db).as('mailbox'), (join) =>
      join
        .onRef('mailbox.id', '=', 'reader.mailboxId')
        .onRef('mailbox.workspaceId', '=', 'reader.workspaceId'),
    )
    .innerJoin(signingRows(db).as('person'), 'person.id', 'reader.userId')
    .leftJoin(memberRows(db).as('member'), (join) =>
      join
        .onRef('member.userId', '=', 'reader.userId')
        .onRef('member.workspaceId', '=', 'reader.workspaceId'),
    )
    .leftJoin(mailboxRows(db).as('own'), 'own.id', 'person.mailboxId')
    .innerJoin(workspaceRows(db).as('workspace'), 'workspace.id', 'mailbox.workspaceId')
    .select('workspace.needsAppPasswords')
    .select(['mailbox.id as mailboxId', 'mailbox.workspaceId', 'mailbox.email', 'mailbox.status'])
    .select(['mailbox.endsAt', 'own.status as ownStatus', 'own.endsAt as ownEndsAt'])
    .select(['reader.userId', 'person.passwordHash', 'person.email as account'])
    .select(roleOfPerson.as('role'))
    .select(
      factorDueAt({
        ...{ userId: 'person.id', bornAt: 'person.createdAt' },
        workspaceId: sql`mailbox.workspace_id`,
        joinedAt: sql`coalesce(member.created_at, person.created_at)`,
      }).as('factorDueAt'),
    )

const withAppPasswords = (db: Db, now: Date) =>
  signIns(db, now)
    .innerJoin('appPasswords', (join) =>
      join
        .onRef('appPasswords.mailboxId', '=', 'reader.mailboxId')
        .onRef('appPasswords.userId', '=', 'reader.userId')
        .onRef('appPasswords.workspaceId', '=', 'reader.workspaceId'),
    )
    .select(['appPasswords.id as appPasswordId', 'appPasswords.scopes', 'appPasswords.expiresAt'])
    .where(isStanding)

/** By an index of hashes; the mailbox has this address. */
export const findByHash = (db: Db, secretHash: Buffer, address: string, now: Date) =>
  withAppPasswords(db, now)
    .where('appPasswords.secretHash', '=', secretHash)
    .where('mailbox.id', 'in', mailboxIdAt(db, address))
    .executeTakeFirst()

export type FoundPassword = NonNullable<Awaited<ReturnType<typeof findByHash>>>

const withOwnPasswords = (db: Db, now: Date) =>
  signIns(db, now).select(hasFactor('person.id').as('hasFactor')).select('person.firstName')

/** The holder of the mailbox at this address. */
export const findHolderAt = (db: Db, address: string, now: Date) =>
  withOwnPasswords(db, now)
    .where('mailbox.id', 'in', mailboxIdAt(db, address))
    .whereRef('person.mailboxId', '=', 'mailbox.id')
    .executeTakeFirst()

export type FoundHolder = NonNullable<Awaited<ReturnType<typeof findHolderAt>>>

const idsIn = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

export const findByIds = (db: Db, ids: readonly string[], now: Date) =>
  withAppPasswords(db, now).where('appPasswords.id', '=', idsIn(ids)).execute()

export const findHoldersByIds = (db: Db, userIds: readonly string[], now: Date) =>
  withOwnPasswords(db, now)
    .where('person.id', '=', idsIn(userIds))
    .whereRef('person.mailboxId', '=', 'mailbox.id')
    .execute()
