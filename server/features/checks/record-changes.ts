/** Decides what counts as a change of a record, and shortens what the history stores. Pure. */
import type { RecordState } from '#contract/domains.ts'
import type { RecordRow } from '#server/features/domains/record-queries.ts'

export type Snapshot = { state: RecordState; values: string[] }

const MAX_VALUES = 5
const MAX_TEXT = 500

type Known = Pick<RecordRow, 'state' | 'found'>

/** Ignores the order of records. 'unknown' equals 'waiting': in both states no answer about the record has come yet. */
export const hasChanged = (before: Known, after: Known): boolean =>
  learnt(before.state) !== learnt(after.state) || setOf(before.found) !== setOf(after.found)

export const snapshotOf = ({ state, found }: Known): Snapshot => ({
  state: learnt(state),
  values: found
    .slice(0, MAX_VALUES)
    .map((text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text)),
})

const learnt = (state: RecordState): RecordState => (state === 'unknown' ? 'waiting' : state)

const setOf = (values: string[]): string => JSON.stringify(values.toSorted())
