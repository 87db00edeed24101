/**
 * Statements on the path of every mail: Kysely takes longer to write them than PostgreSQL to run them, and the text is
 * always the same.
 */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

class Blank {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Stands in a statement for a value that each run brings. */
export type ValueOf<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>

/**
 * Written at the first run. The text must not depend on a value, nor on whether `db` is a transaction.
 * @param write must use `value(name)` wherever a run's own value belongs.
 */
export const compiledOnce = <Values extends object, Row>(
  write: (db: Db, value: ValueOf<Values>) => CompiledQuery<Row>,
): ((db: Db, values: Values) => Promise<Row[]>) => {
  let written: CompiledQuery<Row> | null = null
  return async (db, values) => {
    written ??= write(db, (name) => sql`${new Blank(name)}`)
    const parameters = written.parameters.map((parameter) =>
      parameter instanceof Blank ? values[parameter.name as keyof Values] : parameter,
    )
    const { rows } = await db.executeQuery<Row>({ ...written, parameters })
    return rows
  }
}
