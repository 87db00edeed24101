import { type Kysely, sql } from 'kysely'
import { keys } from './0112-references-of-workspaces.ts'
import { keys as ofMailboxes } from './0113-references-to-mailboxes.ts'
import { nameOf, type Reference } from './widen-keys.ts'

/** Looks whether the rows of before keep to the new references, while all others read and write. Entries of the ledger never change. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // What is referred to comes before what hangs on it.
  const references = [...(ofMailboxes.references ?? []), ...(keys.references ?? [])]
  const statements = [
    'set constraints all deferred',
    ...references.map(broughtHome),
    'set constraints all immediate',
    ...references.map(checked),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A row that an older program left behind when its domain moved. */
const broughtHome = ({ from, columns, to, toColumns = 'id' }: Reference): string =>
  `update ${from} as here set workspace_id = there.workspace_id from ${to} as there
  where (${of('here', columns)}) = (${of('there', toColumns)}) and here.workspace_id <> there.workspace_id`

const of = (table: string, columns: string): string =>
  columns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ')

const checked = (reference: Reference): string =>
  `alter table ${reference.from} validate constraint ${nameOf(reference)}`
