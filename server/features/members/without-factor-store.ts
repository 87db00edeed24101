/** People without a second factor: members and holders of a workspace, or everybody. */
import { sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { hasFactor } from '#server/features/factors/factor-queries.ts'
import { factorDueAt, type Place } from '#server/features/factors/required-factor-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

const withoutFactor = (db: Db, place: Place) => {
  const all = db
    .selectFrom(userRows(db).as('person'))
    .leftJoin(memberRows(db).as('member'), (join) =>
      join
        .onRef('member.userId', '=', 'person.id')
        .on('member.workspaceId', place === null ? 'is' : '=', place),
    )
    .where('person.verifiedAt', 'is not', null)
    .where((is) => is.not(hasFactor('person.id')))
  if (place === null) return all
  const held = mailboxRows(db).where('workspaceId', '=', place).clearSelect().select('id')
  return all.where((is) =>
    is.or([is('member.userId', 'is not', null), is('person.mailboxId', 'in', held)]),
  )
}

export const countWithoutFactor = async (db: Db, place: Place): Promise<number> => {
  const { count } = await withoutFactor(db, place)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const shown = (db: Db, place: Place) => {
  const joinedAt = sql<Date>`coalesce(member.created_at, person.created_at)`
  const asked = { userId: 'person.id', bornAt: 'person.createdAt', joinedAt }
  return withoutFactor(db, place)
    .select(['person.id', 'person.firstName', 'person.lastName', 'person.email'])
    .select(['person.mailboxId', joinedAt.as('joinedAt')])
    .select(factorDueAt({ ...asked, workspaceId: sql`${place}::uuid` }).as('factorDueAt'))
}

/** By address, after this one. */
export const readWithoutFactor = (db: Db, place: Place, after: string, limit: number) =>
  shown(db, place).where('person.email', '>', after).orderBy('person.email').limit(limit).execute()

/** By id, after this one. */
export const nextToTell = (db: Db, place: Place, after: string | null, limit: number) => {
  const all = shown(db, place).orderBy('person.id').limit(limit)
  return (after === null ? all : all.where('person.id', '>', after)).execute()
}
