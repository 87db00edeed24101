/**
 * The table of messages beside a copy that is divided by mailbox, both with the indexes of the product and without the searched text:
 * single inserts as mail comes, lists, lookups by id, and VACUUM.
 */
import type pg from 'pg'
import { type Measured, median } from '../row.ts'
import { timed } from './measure-people.ts'
import type { Opened } from './with-grown.ts'

/** As many as the disk has room for, twice. */
const MOST_ROWS = 3_000_000
const PARTITIONS = 32
const INSERTS = 20_000
const READS = 2_000
const PLANS = 200
const LEFT_OUT = ['search_text', 'authentication', 'junk']

export const measurePartitions = async ({ client }: Opened): Promise<Measured[]> => {
  await client.query("set maintenance_work_mem = '512MB'")
  const columns = await columnsOfCopy(client)
  const rows: Measured[] = []
  try {
    for (const [what, how] of [
      ['one table', ''],
      [`${PARTITIONS} partitions`, 'partition by hash (mailbox_id)'],
    ] as const) {
      await makeCopy(client, columns, how)
      rows.push(...(await measure(client)).map((row) => ({ ...row, what: `${what}: ${row.what}` })))
      await client.query('drop table copies')
    }
  } finally {
    await client.query('drop table if exists copies, samples')
  }
  return rows
}

const columnsOfCopy = async (client: pg.ClientBase): Promise<string> => {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = 'messages'::regclass and attnum > 0 and not attisdropped and attname <> all($1)`,
    [LEFT_OUT],
  )
  return rows[0]?.columns ?? ''
}

/** New mails of the samples have new ids and dates, and uids above all others. */
const makeCopy = async (client: pg.ClientBase, columns: string, how: string): Promise<void> => {
  await client.query(`create table copies as select ${columns} from messages limit 0`)
  if (how !== '') {
    await client.query('alter table copies rename to shape')
    await client.query(`create table copies (like shape) ${how}`)
    await client.query('drop table shape')
    for (let n = 0; n < PARTITIONS; n++)
      await client.query(
        `create table copies_${n} partition of copies for values with (modulus ${PARTITIONS}, remainder ${n})`,
      )
  }
  await client.query(`insert into copies select ${columns} from messages limit ${MOST_ROWS}`)
  for (const index of await indexesOf(client)) await client.query(index)
  await client.query('vacuum (analyze) copies')
  await client.query(`
    create table if not exists samples as
    select ${columns
      .replace(/^id, /, 'uuidv7() as id, ')
      .replace(/\bdate\b/, 'now() as date')
      .replace(/\buid\b/, '1000000000 + row_number() over () as uid')}
    from copies tablesample bernoulli (5) order by md5(id::text) limit ${INSERTS}`)
}

/** A key of a divided table has the mailbox in it. */
const indexesOf = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ text: string; key: string | null }>(
    `select pg_get_indexdef(indexrelid) as text, case when indisunique then array_to_string(array(
      select attname from pg_attribute where attrelid = indrelid and attnum = any(indkey)), ', ') end as key
    from pg_index where indrelid = 'messages'::regclass`,
  )
  return rows.map(({ text, key }, n) =>
    key === null
      ? text.replace(/^CREATE INDEX \S+ ON \S+/, `create index copies_index_${n} on copies`)
      : `create unique index copies_index_${n} on copies (${key}, mailbox_id)`,
  )
}

const measure = async (client: pg.ClientBase): Promise<Measured[]> => {
  const perRow = (ms: number, count: number): number => (ms * 1000) / count
  const inserted = await timed(() =>
    client.query(`do $$ declare mail samples; begin
      for mail in select * from samples loop insert into copies select (mail).*; end loop; end $$`),
  )
  const read = (condition: string) =>
    timed(() =>
      client.query(`do $$ declare mail samples; begin
        for mail in select * from samples limit ${READS} loop
          perform id, subject, preview from copies where ${condition} order by date desc, id desc limit 50;
        end loop; end $$`),
    )
  const list = await read('folder_id = mail.folder_id')
  const listOfMailbox = await read('mailbox_id = mail.mailbox_id and folder_id = mail.folder_id')
  const byId = await read('id = mail.id')
  const byBlob = await read('blob = mail.blob')
  const plans = await planningMs(client)
  await client.query(`delete from copies where hashtext(id::text) % 100 = 0`)
  const vacuumed = await timed(() => client.query('vacuum (analyze) copies'))
  const { rows } = await client.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = 'copies'::regclass
    having count(*) > 0 union all select pg_total_relation_size('copies')::float8 limit 1`,
  )
  const us = (what: string, ms: number, count: number): Measured => ({
    ...{ what: `${what}, a thousand`, value: perRow(ms, count), unit: 'ms', budget: null },
  })
  return [
    us('inserts', inserted, INSERTS),
    us('lists by folder alone', list, READS),
    us('lists by mailbox and folder', listOfMailbox, READS),
    us('lookups by id', byId, READS),
    us('lookups by blob', byBlob, READS),
    { what: 'a plan of a list by folder', value: plans, unit: 'ms', budget: null },
    { what: 'VACUUM after 1 % was deleted', value: vacuumed / 1000, unit: 's', budget: null },
    { what: 'bytes', value: (rows[0]?.bytes ?? 0) / 1e6, unit: 'MB', budget: null },
  ]
}

const planningMs = async (client: pg.ClientBase): Promise<number> => {
  const took: number[] = []
  for (let n = 0; n < PLANS; n++) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ 'Planning Time': number }] }>(
      `explain (format json, summary) select id, subject, preview from copies
      where folder_id = (select folder_id from samples offset ${n} limit 1) order by date desc, id desc limit 50`,
    )
    took.push(rows[0]?.['QUERY PLAN'][0]['Planning Time'] ?? Number.NaN)
  }
  return median(took)
}
