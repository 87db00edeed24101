/** A search as a tree: AND, OR and NOT of conditions that hold, do not, or are not known yet. */
import { invalidField } from '#contract/errors.ts'
import type { Criteria } from './criteria.ts'

export type Leaf = Exclude<
  Criteria,
  { all: readonly Criteria[] } | { any: readonly Criteria[] } | { not: Criteria }
>

const MOST_CONDITIONS = 1_000
/** Each is sought in the text of every message. */
const MOST_TEXTS = 30

/** In the order of the search. @throws VALIDATION where it asks for too much */
export const conditionsOf = (criteria: Criteria): Leaf[] => {
  const leaves = leavesOf(criteria)
  if (leaves.length > MOST_CONDITIONS)
    throw invalidField('search', `A search has at most ${MOST_CONDITIONS} conditions`)
  if (leaves.filter((leaf) => 'in' in leaf).length > MOST_TEXTS)
    throw invalidField('search', `A search looks for at most ${MOST_TEXTS} texts`)
  return leaves
}

const leavesOf = (criteria: Criteria): Leaf[] => {
  if ('all' in criteria) return criteria.all.flatMap(leavesOf)
  if ('any' in criteria) return criteria.any.flatMap(leavesOf)
  if ('not' in criteria) return leavesOf(criteria.not)
  return [criteria]
}

export type Answer = boolean | null

/** null: it depends on conditions that are not known. */
export const answerOf = (criteria: Criteria, known: (leaf: Leaf) => Answer): Answer => {
  if ('all' in criteria) return joined(criteria.all, false, known)
  if ('any' in criteria) return joined(criteria.any, true, known)
  if ('not' in criteria) {
    const answer = answerOf(criteria.not, known)
    return answer === null ? null : !answer
  }
  return known(criteria)
}

/** `decides`: one such answer is that of all. */
const joined = (
  all: readonly Criteria[],
  decides: boolean,
  known: (leaf: Leaf) => Answer,
): Answer => {
  let answer: Answer = !decides
  for (const each of all) {
    const one = answerOf(each, known)
    if (one === decides) return decides
    if (one === null) answer = null
  }
  return answer
}
