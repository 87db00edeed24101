import { type Kysely, sql } from 'kysely'
import { narrowsOf, statementsFor } from './widen-keys.ts'

/** Keys of tables that grow with what happens, apart from those that mail looks into: an index of a year of changes takes its time (decision 140). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...statementsFor(keys), ...statementsFor(newer)])
    await sql.raw(statement).execute(db)
}

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
