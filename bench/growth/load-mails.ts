/** Writes the mails and what triggers keep beside them, by two connections: on tables without indexes, which are made afterwards. */
import pg from 'pg'
import { MAILS_IN_SEGMENT, SEGMENT_BYTES, segmentName } from './sparse-segments.ts'

const TABLES = ['messages', 'message_texts', 'message_structures', 'conversations', 'folder_days']
const SPAN = '730 days'

type Given = { mails: number; say: (what: string) => void }

/** From the tables `boxes` and `kinds`. @returns the number of segments that the mails name */
export const fillMails = async (
  connection: pg.ClientConfig,
  { mails, say }: Given,
): Promise<{ segments: number }> => {
  const [one, two] = [new pg.Client(connection), new pg.Client(connection)]
  await Promise.all([one, two].map((client) => client.connect()))
  try {
    for (const client of [one, two]) for (const setting of SESSION) await client.query(setting)
    const again = await putAside(one)
    await formulas(one)
    await chooseMails(one)
    say(`${mails} mails chosen, in the order of their dates`)
    const rest = async () => {
      await fresh(two, 'message_texts', texts)
      say('texts')
      await fresh(two, 'message_structures', structures)
      say('structures')
      await build(two, again, ['message_texts', 'message_structures'])
      say('indexes of texts and structures')
    }
    const first = async () => {
      await fresh(one, 'messages', messages)
      say('messages')
      for (const statement of beside) await one.query(statement)
      say('conversations and counters')
      await build(one, again, ['messages', 'conversations', 'folder_days'])
      say('indexes of messages and conversations')
    }
    await allOf([rest(), first()])
    for (const command of again.references) await one.query(command)
    say('references')
    await allOf([
      two.query('vacuum (freeze, analyze) message_texts, message_structures'),
      one.query('vacuum (freeze, analyze) messages, conversations, folder_days'),
    ])
    await one.query('vacuum (analyze)')
    say('vacuum')
    return { segments: Math.ceil(mails / MAILS_IN_SEGMENT) }
  } finally {
    await Promise.all([one, two].map((client) => client.end()))
  }
}

/** Waits for all, also when one fails: a connection is not ended in the middle of a statement. */
const allOf = async (works: readonly Promise<unknown>[]): Promise<void> => {
  for (const done of await Promise.allSettled(works))
    if (done.status === 'rejected') throw done.reason
}

const SESSION = [
  'set session_replication_role = replica',
  "set work_mem = '600MB'",
  "set maintenance_work_mem = '1500MB'",
  'set max_parallel_maintenance_workers = 1',
  // Mails keep the order of their dates, as they came.
  'set enable_mergejoin = off',
  'set enable_nestloop = off',
]

type Again = { references: string[]; ofTable: Map<string, string[]> }

/** Takes away keys, references and indexes of these tables. @returns the commands that bring them back */
const putAside = async (client: pg.ClientBase): Promise<Again> => {
  const ours = 'any($1::regclass[])'
  const { rows: references } = await client.query<{ aside: string; again: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as aside,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as again
    from pg_constraint where contype = 'f' and (conrelid = ${ours} or confrelid = ${ours})`,
    [TABLES],
  )
  const { rows: keys } = await client.query<{ table: string; aside: string; again: string }>(
    `select conrelid::regclass::text as "table", format('alter table %s drop constraint %I', conrelid::regclass, conname) as aside,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as again
    from pg_constraint where contype in ('p', 'u') and conrelid = ${ours}`,
    [TABLES],
  )
  for (const { aside } of [...references, ...keys]) await client.query(aside)
  const { rows: indexes } = await client.query<{ table: string; aside: string; again: string }>(
    `select indrelid::regclass::text as "table", format('drop index %s', indexrelid::regclass) as aside, pg_get_indexdef(indexrelid) as again
    from pg_index where indrelid = ${ours}`,
    [TABLES],
  )
  for (const { aside } of indexes) await client.query(aside)
  const ofTable = Map.groupBy([...keys, ...indexes], ({ table }) => table)
  return {
    references: references.map(({ again }) => again),
    ofTable: new Map([...ofTable].map(([table, each]) => [table, each.map(({ again }) => again)])),
  }
}

const build = async (client: pg.ClientBase, { ofTable }: Again, tables: readonly string[]) => {
  for (const table of tables)
    for (const command of ofTable.get(table) ?? []) await client.query(command)
}

/** Written into a table that this transaction made empty, rows need no log. */
const fresh = async (client: pg.ClientBase, table: string, statement: string): Promise<void> => {
  await client.query('begin')
  await client.query(`truncate ${table}`)
  await client.query(statement)
  await client.query('commit')
}

/** The date and the id of mail `g` of mailbox `n`, which other mails of its conversation name, too. */
const formulas = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ now: string }>('select now()::text as now')
  await client.query(`
    create function grown_at(n int, g int, mails int) returns timestamptz language sql immutable as $$
      select date_trunc('milliseconds', timestamptz '${rows[0]?.now}' - (mails - g) * (interval '${SPAN}' / mails)
        - (n % 3600) * interval '1 second' - interval '1 minute') $$`)
  await client.query(`
    create function grown_id(n int, g int, at timestamptz) returns uuid language sql immutable as $$
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n * 31 % 4096), 3, '0')
        || '8' || lpad(to_hex(n::bigint * 1048576 + g), 15, '0'))::uuid $$`)
}

/** Half of the mails are conversations of four. Of twenty, 16 are in the Inbox, 2 in Sent, and one each in Archive and in Trash. */
const chooseMails = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`
    create unlogged table made as
    select (row_number() over (order by date) - 1)::int as i, n, g, mails, k, date from (
      select n, g, mails, (n * 7919 + g) % (select count(*) from kinds)::int as k, grown_at(n, g, mails) as date
      from boxes cross join lateral generate_series(1, mails) g
    ) as each order by date`)
  await client.query('analyze made')
}

const rootOf = 'case when m.g / 4 % 2 = 0 then greatest(1, m.g - m.g % 4) else m.g end'
const hasOwnWord = 'm.g % 4 = 1'
/** Of one mail alone, as numbers of orders are. */
export const ownWord = (n: string, g: string): string => `'order' || ${n} || 'x' || ${g}`

const named = `${segmentName(`m.i / ${MAILS_IN_SEGMENT}`)} || '.' || m.i % ${MAILS_IN_SEGMENT} * ${SEGMENT_BYTES / MAILS_IN_SEGMENT}
  || '.' || ${10_000} + m.k % 40 * 1000 || '.' || md5(m.i::text) || md5((m.i + 7)::text)`

const messages = `
  insert into messages (id, workspace_id, mailbox_id, folder_id, uid, modseq, thread_id, blob, size_bytes, message_id, in_reply_to,
    "references", subject, "from", "to", preview, is_read, is_starred, has_attachments, mail_from, date, saved_at, search_text)
  select grown_id(m.n, m.g, m.date), b.workspace_id, b.id,
    case m.g % 20 when 0 then b.sent when 1 then b.sent when 2 then b.archive when 3 then b.trash else b.inbox end,
    case m.g % 20 when 0 then m.g / 20 * 2 + 1 when 1 then m.g / 20 * 2 + 2 when 2 then m.g / 20 + 1 when 3 then m.g / 20 + 1
      else m.g / 20 * 16 + m.g % 20 - 3 end,
    m.g, grown_id(m.n, ${rootOf}, grown_at(m.n, ${rootOf}, m.mails)),
    case when b.is_measured then k.blob else ${named} end,
    case when b.is_measured then k.size_bytes else ${10_000} + m.k % 40 * 1000 end,
    m.n || '.' || m.g || '@growing.example.net',
    case when ${rootOf} < m.g then m.n || '.' || m.g - 1 || '@growing.example.net' end,
    case when ${rootOf} < m.g then jsonb_build_array(m.n || '.' || m.g - 1 || '@growing.example.net') else '[]' end,
    k.subject, k."from", k."to", k.preview, m.g % 9 <> 0, m.g % 50 = 0, k.has_attachments, k."from" ->> 'address', m.date, m.date,
    case when ${hasOwnWord} then k.search_text || ' ' || ${ownWord('m.n', 'm.g')} else k.search_text end
  from made m join kinds k using (k) join boxes b using (n)`

const texts = `
  insert into message_texts (message_id, workspace_id, mailbox_id, search, head, sent_subject, date)
  select grown_id(m.n, m.g, m.date), b.workspace_id, b.id,
    case when ${hasOwnWord} then k.search || (${ownWord('m.n', 'm.g')} || ':1')::tsvector else k.search end,
    k.head, case when m.g % 20 in (0, 1) then base_subject(k.subject) end, m.date
  from made m join kinds k using (k) join boxes b using (n)`

const structures = `
  insert into message_structures (mailbox_id, message_id, workspace_id, structure, envelope, body_structure)
  select b.id, grown_id(m.n, m.g, m.date), b.workspace_id, k.structure, k.envelope, k.body_structure
  from made m join kinds k using (k) join boxes b using (n)`

/** What triggers keep. */
const beside = [
  `insert into conversations
  select distinct on (folder_id, thread_id) folder_id, thread_id, workspace_id, mailbox_id, id, date,
    count(*) over thread, count(*) filter (where not is_read) over thread, count(*) filter (where is_starred) over thread
  from messages window thread as (partition by folder_id, thread_id)
  order by folder_id, thread_id, date desc, id desc`,
  `insert into folder_days
  select folder_id, (date at time zone 'UTC')::date, count(*) from conversations group by 1, 2`,
  `update folders f set uid_next = c.last + 1, highest_modseq = c.modseq, message_count = c.count, unread_count = c.unread
  from (
    select folder_id, count(*), max(uid) as last, max(modseq) as modseq, count(*) filter (where not is_read) as unread
    from messages group by 1
  ) c where f.id = c.folder_id`,
  `update mailboxes b set used_bytes = c.bytes, modseq = c.modseq
  from (select mailbox_id, max(modseq) as modseq, sum(size_bytes) as bytes from messages group by 1) c where b.id = c.mailbox_id`,
]
