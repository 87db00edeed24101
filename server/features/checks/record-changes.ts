/** What counts as a change of a record, and how much of it is kept. Pure. */
import type { RecordState } from '#contract/domains.ts'
import type { RecordRow } from '#server/features/domains/records-store.ts'

export type Said = { state: RecordState; values: string[] }

const MAX_VALUES = 5
const MAX_TEXT = 500

type Known = Pick<RecordRow, 'state' | 'found'>

/** DNS answers the same records in any order; 'unknown' is a record of which nothing has been learnt yet, as 'waiting'. */
export const hasChanged = (before: Known, after: Known): boolean =>
  learnt(before.state) !== learnt(after.state) || setOf(before.found) !== setOf(after.found)

export const said = ({ state, found }: Known): Said => ({
  state: learnt(state),
  values: found
    .slice(0, MAX_VALUES)
    .map((text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text)),
})

const learnt = (state: RecordState): RecordState => (state === 'unknown' ? 'waiting' : state)

const setOf = (values: string[]): string => JSON.stringify(values.toSorted())
