/** What PostgreSQL knows of the tables of a schema: as much as programs of two releases may trip over. */
import { type QueryExecutorProvider, sql } from 'kysely'

export type Column = { type: string; isRequired: boolean; preset: string | null }
/** `on`: its columns, and those of other tables that it looks at. */
export type Rule = {
  kind: 'check' | 'unique' | 'reference' | 'index' | 'trigger'
  text: string
  on: string[]
  /** Of a reference: the table whose rows it holds fast; null: they go, and take these along. */
  holds: string | null
}
export type Table = {
  columns: Map<string, Column>
  rules: Map<string, Rule>
  /** Another one when all rows are written anew. */
  file: string
}
export type Catalog = Map<string, Table>

export const readCatalog = async (db: QueryExecutorProvider): Promise<Catalog> => {
  const { rows: tables } = await sql<{ name: string; file: string }>`
    select relname::text as name, relfilenode::text as file from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%'`.execute(
    db,
  )
  const { rows: columns } = await sql<Column & { table: string; name: string }>`
    select attrelid::regclass::text as "table", attname::text as name, format_type(atttypid, atttypmod) || attgenerated::text as type,
      attnotnull as "isRequired", coalesce(pg_get_expr(adbin, adrelid), nullif(attidentity::text, '')) as preset
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped`.execute(db)
  const { rows: rules } = await sql<Rule & { table: string; name: string }>`${rulesOf}`.execute(db)
  const catalog: Catalog = new Map(
    tables.map(({ name, file }) => [name, { file, columns: new Map(), rules: new Map() }]),
  )
  for (const { table, name, ...column } of columns) catalog.get(table)?.columns.set(name, column)
  for (const { table, name, ...rule } of rules) catalog.get(table)?.rules.set(name, rule)
  return catalog
}

const rulesOf = sql`
  select conrelid::regclass::text as "table", conname::text as name,
    case contype when 'f' then 'reference' when 'c' then 'check' else 'unique' end as kind,
    replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') as text,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as on,
    case when contype = 'f' and confdeltype in ('a', 'r') then confrelid::regclass::text end as holds
  from pg_constraint k where contype in ('c', 'f', 'p', 'u', 'x') and conrelid != 0
  union all
  select indrelid::regclass::text, indexrelid::regclass::text, case when indisunique then 'unique' else 'index' end,
    pg_get_indexdef(indexrelid), array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any (indkey)), null
  from pg_index where not exists (select from pg_constraint where conindid = indexrelid and contype != 'f')
  union all
  select tgrelid::regclass::text, tgname::text, 'trigger', pg_get_triggerdef(t.oid) || pg_get_functiondef(tgfoid), '{}', null
  from pg_trigger t where not tgisinternal`
