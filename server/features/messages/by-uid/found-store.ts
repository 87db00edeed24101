/** Which messages a search finds, as far as their rows can tell. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { type FolderPlace, messagesBetween } from '../structures/structures-store.ts'
import {
  type Condition,
  conditionOf,
  isOfText,
  type Judgement,
  judgementOf,
  judgements,
} from './conditions-store.ts'
import type { Criteria } from './criteria.ts'
import type { Answer, Leaf } from './criteria-tree.ts'
import { isIn } from './uid-store.ts'

/** The tree with a condition for each leaf. */
const treeOf = (criteria: Criteria, leafOf: (leaf: Leaf) => Condition): Condition => {
  const inner = (each: Criteria) => treeOf(each, leafOf)
  if ('all' in criteria)
    return criteria.all.length === 0
      ? sql<boolean>`true`
      : sql<boolean>`(${sql.join(criteria.all.map(inner), sql` and `)})`
  if ('any' in criteria)
    return criteria.any.length === 0
      ? sql<boolean>`false`
      : sql<boolean>`(${sql.join(criteria.any.map(inner), sql` or `)})`
  if ('not' in criteria) return sql<boolean>`(not ${inner(criteria.not)})`
  return leafOf(criteria)
}

/** In order. For a search that rows decide. */
export const uidsFound = async (
  db: Db,
  place: FolderPlace,
  criteria: Criteria,
): Promise<number[]> => {
  const { rows } = await sql<{ uids: string | null }>`
    select string_agg(m.uid::text, ',' order by m.uid) as uids from messages m
    where ${isIn(place)} and ${treeOf(criteria, conditionOf)}`.execute(db)
  const text = rows[0]?.uids
  return text ? text.split(',').map(Number) : []
}

export type Candidate = {
  uid: number
  /** null: its bytes have to be read. */
  isFound: Answer
  /** Of each condition, in their order. */
  judged: Judgement[]
}

/**
 * Messages from the uid `first` to `last` that the search finds or may find. The text is read only of those for which all else holds.
 */
export const candidates = async (
  db: Db,
  place: FolderPlace,
  { criteria, leaves }: { criteria: Criteria; leaves: readonly Leaf[] },
  { first, last }: { first: number; last: number },
): Promise<Candidate[]> => {
  const places = new Map(leaves.map((leaf, n) => [leaf, n + 1]))
  const quick = treeOf(criteria, (leaf) =>
    isOfText(leaf) ? sql<boolean>`null::boolean` : conditionOf(leaf),
  )
  const tree = treeOf(criteria, (leaf) => {
    const judged = sql`judged[${sql.lit(places.get(leaf) ?? 0)}]`
    return sql<boolean>`(case when ${judged} < 2 then ${judged} = 1 end)`
  })
  const { rows } = await sql<Omit<Candidate, 'judged'> & { judged: number[] }>`
    select uid, is_found, judged from (
      select uid, judged, ${tree} as is_found from (
        select m.uid, array[${sql.join(leaves.map(judgementOf))}]::int[] as judged
        from ${messagesBetween(place, first, last)} where ${isIn(place)} and (${quick}) is not false
        offset 0
      ) as row offset 0
    ) as answered where is_found is not false order by uid`.execute(db)
  return rows.map((row) => ({
    ...row,
    judged: row.judged.map((place) => judgements[place] ?? 'bytes'),
  }))
}
