/** Looks whether the rows of before keep to new references, while all others read and write. */
import { type Kysely, sql } from 'kysely'
import { nameOf, type Reference } from './widen-keys.ts'

/**
 * Where some do not, as an older program left them behind when their domain moved, they are brought home. What cannot be brought
 * home stays as it is: the reference holds for new rows alone. `references`: what is referred to comes before what hangs on it.
 */
export const checkReferences = async (
  db: Kysely<unknown>,
  references: readonly Reference[],
): Promise<void> => {
  // Nobody who works is kept waiting by this.
  await sql`set local lock_timeout = '1min'`.execute(db)
  await sql.raw(`do $$ begin ${references.map(checkOf).join('\n')} end $$`).execute(db)
}

const checked = (reference: Reference): string =>
  `alter table ${reference.from} validate constraint ${nameOf(reference)}`

const broughtHome = ({ from, columns, to, toColumns = 'id' }: Reference): string =>
  `update ${from} as here set workspace_id = there.workspace_id from ${to} as there
  where (${of('here', columns)}) = (${of('there', toColumns)}) and here.workspace_id <> there.workspace_id`

const of = (table: string, columns: string): string =>
  columns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ')

/** As a statement of PL/pgSQL: taken back when it fails. */
const tried = (statements: string, why: string, failed: string): string =>
  `begin ${statements} exception when ${why} then ${failed} end;`

const wasLeft = (reference: Reference): string =>
  `raise warning 'rows of ${reference.from} stay in another workspace than what they hang on: %', sqlerrm;`

// A workspace that is being restored from a backup has no references.
const checkOf = (reference: Reference): string =>
  `if exists (select from pg_constraint where conname = '${nameOf(reference)}' and conrelid = '${reference.from}'::regclass) then
    ${checkedOf(reference)}
  end if;`

const checkedOf = (reference: Reference): string =>
  tried(
    `${checked(reference)};`,
    'foreign_key_violation',
    tried(
      ['set constraints all deferred', broughtHome(reference), 'set constraints all immediate']
        .concat(checked(reference))
        .map((each) => `${each};`)
        .join(' '),
      'others',
      wasLeft(reference),
    ),
  )
