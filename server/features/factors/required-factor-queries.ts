/** Who requires a second factor of whom, and until when a person may be without one (decision 126). */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import type { RequiredFactorsTable } from '#server/storage/rows/factor-tables.ts'
import { hasFactor } from './factor-queries.ts'

export type RequiredFactor = Selectable<RequiredFactorsTable>

/** A workspace; null: the whole installation. */
export type Place = string | null

type Asked = {
  /** Columns: the person, and when their account was made. */
  userId: string
  bornAt: string
  /** The workspace of the request, and when the person came into it. */
  workspaceId: RawBuilder<string | null>
  joinedAt: RawBuilder<Date | null>
}

/**
 * When the person needs a second factor at the latest; null: they have one, or nobody requires it. Who comes later has the same days,
 * counted from then.
 */
export const factorDueAt = ({ userId, bornAt, workspaceId, joinedAt }: Asked) =>
  sql<Date | null>`(select min(
      greatest(rule.required_at, case when rule.workspace_id is null then ${sql.ref(bornAt)} else ${joinedAt} end)
        + make_interval(days => rule.grace_days))
    from required_factors rule
    where (rule.workspace_id is null or rule.workspace_id = ${workspaceId}) and not ${hasFactor(userId)})`

const at = (db: Db, place: Place) =>
  db
    .selectFrom('requiredFactors')
    .selectAll()
    .where('workspaceId', place === null ? 'is' : '=', place)

export const findRequiredFactor = (db: Db, place: Place): Promise<RequiredFactor | undefined> =>
  at(db, place).executeTakeFirst()

/** The people are told anew when their days change. `graceDays` null: it is not required any more. */
export const saveRequiredFactor = async (
  tx: Db,
  place: Place,
  graceDays: number | null,
  now: Date,
): Promise<void> => {
  const known = await at(tx, place).forUpdate().executeTakeFirst()
  if (graceDays === (known?.graceDays ?? null)) return
  if (graceDays === null) {
    await tx
      .deleteFrom('requiredFactors')
      .where('workspaceId', place === null ? 'is' : '=', place)
      .execute()
  } else if (known) {
    const change = { graceDays, isTold: false, toldUntil: null }
    await tx.updateTable('requiredFactors').set(change).where('id', '=', known.id).execute()
  } else {
    const row = { id: newId(now.getTime()), workspaceId: place, requiredAt: now, graceDays }
    await tx.insertInto('requiredFactors').values(row).execute()
  }
}

/** Call in a transaction, which keeps others from the same one. */
export const takeUntoldRequirement = (tx: Db): Promise<RequiredFactor | undefined> =>
  tx
    .selectFrom('requiredFactors')
    .selectAll()
    .where('isTold', '=', false)
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export const noteToldUntil = async (
  tx: Db,
  id: string,
  told: { isTold: boolean; toldUntil: string | null },
): Promise<void> => {
  await tx.updateTable('requiredFactors').set(told).where('id', '=', id).execute()
}
