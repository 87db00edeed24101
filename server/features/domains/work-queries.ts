/**
 * What needs work, in SQL and nowhere else: the lists, the counts and the result of Verify all ask these conditions. A domain
 * needs work when a record that it needs is not right, or could not be looked up repeatedly (decision 078).
 */
import { type RawBuilder, sql } from 'kysely'

/** The last checks, two or more, had no definite answer: the stored state is an older one. `row`: of domain_records. */
export const isUnchecked = (row: string) =>
  sql<boolean>`coalesce(${at(row, 'unanswered_since')} < ${at(row, 'checked_at')}, false)`

/** Not right, or not known to be right any more. */
export const isNotRight = (row: string) =>
  sql<boolean>`(${at(row, 'state')} <> 'verified' or ${isUnchecked(row)})`

/** Without its required records nobody trusts its mail; with mailboxes it has to receive here, too. */
export const isToDo = (row: string, hasMailboxes: RawBuilder<boolean>) =>
  sql<boolean>`((${at(row, 'is_required')} or (${at(row, 'purpose')} = 'mx' and ${hasMailboxes})) and ${isNotRight(row)})`

/** When the checks without an answer began; null while there is an answer. */
export const uncheckedSince = (row: string) =>
  sql<Date | null>`case when ${isUnchecked(row)} then ${at(row, 'unanswered_since')} end`

const at = (row: string, column: string) => sql.ref(`${row}.${column}`)
