/** What a migration takes from programs of the release before: the catalog before it beside the one after it (decision 134). */
import type { Catalog, Column, Rule, Table } from './catalog.ts'

export type Narrowing = {
  text: string
  /** A table, or a column of one, that a program may no longer use as before; null: no program fails by using it. */
  lost: string | null
}

/** `isOurs`: whether programs of the release before know the table. */
export const findNarrowings = (
  before: Catalog,
  after: Catalog,
  isOurs: (table: string) => boolean,
): Narrowing[] =>
  [...before].flatMap(([name, table]) => {
    if (!isOurs(name)) return []
    const then = after.get(name)
    return then === undefined
      ? [{ text: `${name} is gone`, lost: name }]
      : [
          ...columnsOf(name, table, then),
          ...rulesOf(name, table, then),
          ...heldBy(name, before, after),
          // An older program waits for all of it.
          ...(table.file === then.file ? [] : [told(`${name} is written anew`)]),
        ]
  })

const told = (text: string): Narrowing => ({ text, lost: null })

const columnsOf = (table: string, before: Table, after: Table): Narrowing[] => [
  ...[...before.columns].flatMap(([column, was]) =>
    changesOf(was, after.columns.get(column)).map((change) => ({
      ...{ text: `${table}.${column} ${change}`, lost: `${table}.${column}` },
    })),
  ),
  ...[...after.columns]
    .filter(([column, is]) => !before.columns.has(column) && is.isRequired && is.preset === null)
    .map(([column]) => ({ text: `${table}.${column} is new and required`, lost: table })),
]

const changesOf = (was: Column, is: Column | undefined): string[] => {
  if (is === undefined) return ['is gone']
  return [
    ...(was.type === is.type ? [] : [`was ${was.type} and is ${is.type}`]),
    ...(is.isRequired && !was.isRequired ? ['is required'] : []),
    ...(was.preset !== null && is.preset === null ? ['has no default'] : []),
  ]
}

const rulesOf = (table: string, before: Table, after: Table): Narrowing[] => {
  const isNew = (column: string) => !before.columns.has(column)
  const gone = [...before.rules].filter(([name, { kind }]) => {
    // `on conflict` needs a unique key, and rows that go with others are expected to.
    return !after.rules.has(name) && kind !== 'check' && kind !== 'index'
  })
  const come = [...after.rules].filter(([name, rule]) => {
    const was = before.rules.get(name)
    if (was !== undefined) return was.text !== rule.text && !allowsMore(was, rule)
    // Of columns that no older program writes.
    return rule.kind === 'trigger' || rule.kind === 'index' || !rule.on.every(isNew)
  })
  return [
    ...gone.map(([name, { kind }]) => told(`the ${kind} ${name} of ${table} is gone`)),
    ...come.map(([name, { kind }]) =>
      told(`the ${kind} ${name} of ${table} is ${before.rules.has(name) ? 'another' : 'new'}`),
    ),
  ]
}

const VALUE = /'(?:[^']|'')*'::\w+(?: \w+)*/g

/** A list of values with more of them. */
const allowsMore = (was: Rule, is: Rule): boolean => {
  const frame = ({ text }: Rule) => text.replaceAll(VALUE, '').replaceAll(/[, ]/g, '')
  const values = ({ text }: Rule) => new Set(text.match(VALUE) ?? [])
  return is.kind === 'check' && frame(was) === frame(is) && values(was).isSubsetOf(values(is))
}

/** Rows of a table that stands, which other ones now hold fast: an older program could delete them. */
const heldBy = (table: string, before: Catalog, after: Catalog): Narrowing[] =>
  [...after].flatMap(([other, { rules }]) =>
    [...rules]
      .filter(([name, { holds }]) => holds === table && holdsBefore(before, other, name) !== table)
      .map(([name]) => told(`rows of ${table} are held by ${name} of ${other}`)),
  )

const holdsBefore = (before: Catalog, table: string, name: string) =>
  before.get(table)?.rules.get(name)?.holds
