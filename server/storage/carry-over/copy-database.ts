/** Copies all tables from one server to another, and compares each with what was read. */
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import {
  asList,
  countLines,
  putAside,
  quoted,
  sequencesOf,
  setSequences,
  type TableColumns,
  tablesOf,
} from '../copied-tables.ts'

export type Copied = { tables: number; rows: number }

/** `to` has the same schema. @throws when a table is not there as it was read */
export const copyDatabase = async (from: pg.ClientBase, to: pg.ClientBase): Promise<Copied> => {
  const tables = await tablesOf(from)
  const [all, there] = [tables.map(shape), (await tablesOf(to)).map(shape)]
  const strange = [...all, ...there].filter((each) => !(all.includes(each) && there.includes(each)))
  if (strange.length > 0) throw new Error(`the schema is another one: ${strange.join(', ')}`)
  const names = tables.map(({ name }) => name)
  await to.query('begin')
  await to.query("set local maintenance_work_mem = '256MB'")
  const again = await putAside(to, names)
  if (names.length > 0) await to.query(`truncate ${names.map(quoted).join(', ')}`)
  const read = new Map<string, Tally>()
  for (const table of tables) read.set(table.name, await copyTable(from, to, table))
  for (const command of again) await to.query(command)
  await setSequences(to, await sequencesOf(from))
  await to.query('commit')
  let rows = 0
  for (const table of tables) {
    const [wanted, found] = [read.get(table.name), await readTable(to, table)]
    if (wanted?.hash !== found.hash)
      throw new Error(`${table.name} has ${found.rows} of ${wanted?.rows} rows, or other ones`)
    rows += found.rows
  }
  // What PostgreSQL plans by is not copied.
  await to.query('vacuum analyze')
  return { tables: tables.length, rows }
}

/** Columns stand in another order where a migration of their table came later. */
const shape = ({ name, columns }: TableColumns): string =>
  `${name}(${columns.toSorted().join(', ')})`

type Tally = { rows: number; hash: string }

const copyTable = async (
  from: pg.ClientBase,
  to: pg.ClientBase,
  table: TableColumns,
): Promise<Tally> => {
  const tally = newTally()
  const [source, target] = [
    from.query(copyTo(`copy ${asList(table)} to stdout`)),
    to.query(copyFrom(`copy ${asList(table)} from stdin`)),
  ]
  const counting = new Transform({
    transform: (chunk: Buffer, _, next) => {
      tally.add(chunk)
      next(null, chunk)
    },
  })
  await pipeline(source, counting, target)
  return tally.end()
}

const readTable = async (client: pg.ClientBase, table: TableColumns): Promise<Tally> => {
  const tally = newTally()
  for await (const chunk of client.query(copyTo(`copy ${asList(table)} to stdout`)))
    tally.add(chunk as Buffer)
  return tally.end()
}

const newTally = () => {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add: (chunk: Buffer) => {
      rows += countLines(chunk)
      hash.update(chunk)
    },
    end: (): Tally => ({ rows, hash: hash.digest('hex') }),
  }
}
