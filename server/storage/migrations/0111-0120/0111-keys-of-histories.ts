import type { Kysely } from 'kysely'
import { narrowsOf, widenKeys } from './widen-keys.ts'

/** Keys of tables that grow with what happens, apart from those that mail looks into: an index of a year of changes takes its time (decision 140). */
export const up = (db: Kysely<unknown>): Promise<void> =>
  widenKeys(db, { primary: { ...keys.primary, ...newer.primary } })

const TABLES = [
  'access_entries',
  'audit_log',
  'domain_record_changes',
  'sendings',
  'webhook_attempts',
]

const keys = { primary: Object.fromEntries(TABLES.map((table) => [table, 'id'])) }

/** Programs of the release before do not know the ledger. */
const newer = { primary: { ledger_entries: 'id' } }

export const narrows = narrowsOf(keys)
