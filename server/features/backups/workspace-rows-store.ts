/**
 * Rows of one workspace, from a backup into the living tables (decision 113). Which tables, columns and keys there are is read from the
 * database, so that none is forgotten.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { asList, quoted, tablesOf } from '#server/storage/copied-tables.ts'
import type { Scratch } from '#server/storage/scratch-tables.ts'
import type { CopiedTable, Manifest } from './manifest.ts'
import type { SealedPlace } from './sealed-place.ts'
import { namingBlobs, renameBlobs } from './table-copies-store.ts'
import { rowLinesOf } from './table-rows-store.ts'

/** Made by triggers, sent since, or only of work in progress. A claim is about another workspace, too. */
const NOT_RESTORED = new Set([
  ...['conversations', 'folder_days', 'outbox_messages', 'deliveries', 'delivery_attempts'],
  // A link or a key that was ended since must not open anything.
  ...['access_links', 'invitations', 'invitation_links', 'api_keys'],
  ...['bulk_changes', 'certificates', 'domain_claims', 'mail_exports', 'mail_import_chunks'],
  ...['mail_import_faults', 'mail_imports', 'operator_actions', 'payments', 'sends'],
  ...['vacation_dues', 'workspace_exports', 'idempotency_keys'],
  ...['addresses', 'verified_domains', 'invoice_numbers'],
])
/** What somebody else has by now, in the whole installation. */
const TAKEN = new Map([
  ['mailboxes', `select from ${quoted('addresses')} a where a.email = s.email`],
  ['aliases', `select from ${quoted('addresses')} a where a.email = s.email`],
  [
    'domains',
    `select from ${quoted('verified_domains')} v where s.is_verified and v.name = s.name`,
  ],
  [
    'invoices',
    `select from ${quoted('invoice_numbers')} n where n.series = s.series and n.number = s.number`,
  ],
])
/** Of the members and holders. */
const OF_USERS = new Set(['identities', 'preferences'])

/** Loads what the backup has of the workspace into the tables that the client finds first. */
export const loadWorkspace = async (
  client: pg.Client,
  place: SealedPlace,
  { tables }: Manifest,
  workspaceId: string,
): Promise<void> => {
  await looseTables(client)
  const known = new Set((await tablesOf(client)).map(({ name }) => name))
  const wanted = tables.filter(({ name }) => known.has(name) && !NOT_RESTORED.has(name))
  const isOf = (column: string, ids: ReadonlySet<string>) => (table: CopiedTable) => {
    const at = table.columns.indexOf(column)
    return at < 0 ? () => false : (fields: readonly string[]) => ids.has(fields[at] ?? '')
  }
  const own = new Set([workspaceId])
  for (const table of wanted)
    if (table.columns.includes('workspace_id'))
      await load(client, place, table, isOf('workspace_id', own)(table))
  const people = await idsIn(client, `select user_id as id from ${quoted('members')}`)
  const mailboxes = await idsIn(client, `select id from ${quoted('mailboxes')}`)
  for (const table of wanted) {
    if (table.name === 'workspaces') await load(client, place, table, isOf('id', own)(table))
    if (table.name !== 'users') continue
    const [isMember, isHolder] = [isOf('id', people)(table), isOf('mailbox_id', mailboxes)(table)]
    await load(client, place, table, (fields) => isMember(fields) || isHolder(fields))
  }
  const users = await idsIn(client, `select id from ${quoted('users')}`)
  for (const table of wanted)
    if (OF_USERS.has(table.name)) await load(client, place, table, isOf('user_id', users)(table))
}

/**
 * Parts of a whole have keys to what is not here, and triggers have run when the rows were made. Into the tables of an older backup
 * migrations come afterwards, so these must neither expect that an earlier foreign key is there nor leave rows to an earlier trigger.
 */
const looseTables = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ command: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as command
    from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f'
    union all select format('alter table %s disable trigger user', oid::regclass)
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  )
  for (const { command } of rows) await client.query(command)
}

const load = async (
  client: pg.Client,
  place: SealedPlace,
  table: CopiedTable,
  isWanted: (fields: readonly string[]) => boolean,
): Promise<void> => {
  const stream = client.query(copyFrom(`copy ${asList(table)} from stdin`))
  await pipeline(Readable.from(wantedLines(place, table, isWanted)), stream)
}

async function* wantedLines(
  place: SealedPlace,
  table: CopiedTable,
  isWanted: (fields: readonly string[]) => boolean,
): AsyncGenerator<Buffer> {
  for await (const line of rowLinesOf(place, table))
    if (isWanted(line.split('\t'))) yield Buffer.from(`${line}\n`, 'latin1')
}

/** From a database where an older backup was brought to the present version. */
export const takeOver = async (from: pg.Client, { client }: Scratch): Promise<void> => {
  for (const table of await tablesOf(client)) {
    if (NOT_RESTORED.has(table.name)) continue
    const list = asList(table)
    const to = client.query(copyFrom(`copy ${list} from stdin`))
    await pipeline(from.query(copyTo(`copy ${list} to stdout`)), to)
  }
}

const idsIn = async (client: pg.Client, query: string): Promise<Set<string>> =>
  new Set((await client.query<{ id: string }>(query)).rows.map(({ id }) => id))

/** Whether the workspace lives on here: not where it is gone, or only its invoices are kept. */
export const isOpen = async (
  { client, living }: Scratch,
  workspaceId: string,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `select from ${quoted(living)}.workspaces where id = $1 and ended_at is null`,
    [workspaceId],
  )
  return rowCount === 1
}

/** SHA-256 of the blobs that the rows to come back name. */
export const neededHashes = async ({ client }: Scratch): Promise<Set<string>> => {
  const tables = namingBlobs(await tablesOf(client))
  const each = tables.map(
    (name) => `select right(blob, 64) as id from ${quoted(name)} where blob is not null`,
  )
  return idsIn(client, each.join(' union '))
}

/** `names`: by hash. Rows whose bytes are lost do not come back. @returns how many messages those are */
export const nameBlobs = async (
  { client }: Scratch,
  names: ReadonlyMap<string, string>,
): Promise<number> => {
  const tables = namingBlobs(await tablesOf(client))
  await renameBlobs(client, tables, names)
  let lost = 0
  for (const table of tables) {
    const gone = await client.query(
      `delete from ${quoted(table)} t where blob is not null
      and not exists (select from restored_blobs r where r.hash = right(t.blob, 64))`,
    )
    if (table === 'messages') lost += gone.rowCount ?? 0
  }
  return lost
}

type Key = {
  name: string
  columns: string[]
  parent: string
  parentColumns: string[]
  /** Those that become empty when the row of the parent goes. */
  emptied: string[]
}

/** A trigger makes the address that a user refers to. */
const ADDRESS_OF_USER = { name: 'users', parent: 'mailboxes' }

/**
 * Copies everything that is missing, parents first. The caller's transaction finds the living tables by their names, since triggers name
 * them so; `tables` are those of the scratch schema. @returns rows by table
 */
export const copyMissing = async (
  { client, living, schema }: Scratch,
  tables: readonly Pick<CopiedTable, 'name' | 'columns'>[],
): Promise<Map<string, number>> => {
  const keys = await keysOf(client, living)
  const copied = new Map<string, number>()
  for (const { name, columns } of parentsFirst(tables, [...keys, ADDRESS_OF_USER])) {
    const own = keys.filter((key) => key.name === name)
    const given = columns.map((column) => {
      // Mail programs must take a number that was given since for another mail.
      if (name === 'folders' && column === 'uid_validity') return `nextval('uid_validities')`
      const nulled = own.find(({ emptied }) => emptied.includes(column))
      return nulled
        ? `case when ${isThere(nulled)} then s.${quoted(column)} end`
        : `s.${quoted(column)}`
    })
    const needed = own.filter(({ emptied }) => emptied.length === 0).map(isNullOrThere)
    const taken = TAKEN.get(name)
    if (taken !== undefined) needed.push(`not exists (${taken})`)
    // It may have gone to another workspace, whose key is another one.
    if (columns.includes('id'))
      needed.push(`not exists (select from ${quoted(name)} t where t.id = s.id)`)
    const { rowCount } = await client.query(
      `insert into ${quoted(name)} (${columns.map(quoted).join(', ')})
      select ${given.join(', ')} from ${quoted(schema)}.${quoted(name)} s
      where ${['true', ...needed].join(' and ')} on conflict do nothing`,
    )
    if (rowCount) copied.set(name, rowCount)
  }
  return copied
}

export const keysOf = async (client: pg.Client, living: string): Promise<Key[]> => {
  const { rows } = await client.query<Key>(
    `select c.relname::text as name, p.relname::text as parent,
      case when k.confdeltype = 'n' then (select array_agg(a.attname::text) from pg_attribute a
        where a.attrelid = k.conrelid and a.attnum = any(coalesce(k.confdelsetcols, k.conkey))) else '{}' end as emptied,
      (select array_agg(a.attname::text order by n) from unnest(k.conkey) with ordinality u (num, n)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num) as columns,
      (select array_agg(a.attname::text order by n) from unnest(k.confkey) with ordinality u (num, n)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num) as "parentColumns"
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = $1::regnamespace and c.oid != p.oid`,
    [quoted(living)],
  )
  return rows
}

const isThere = ({ columns, parent, parentColumns }: Key): string =>
  `exists (select from ${quoted(parent)} p where ${columns
    .map((column, n) => `p.${quoted(parentColumns[n] ?? '')} = s.${quoted(column)}`)
    .join(' and ')})`

const isNullOrThere = (key: Key): string =>
  `(${key.columns.map((column) => `s.${quoted(column)} is null`).join(' or ')} or ${isThere(key)})`

const parentsFirst = <T extends { name: string }>(
  tables: readonly T[],
  keys: readonly Pick<Key, 'name' | 'parent'>[],
): T[] => {
  const order: T[] = []
  const place = (name: string, below: readonly string[]): void => {
    const table = tables.find((each) => each.name === name)
    if (table === undefined || order.includes(table) || below.includes(name)) return
    for (const { parent } of keys.filter((key) => key.name === name))
      place(parent, [...below, name])
    order.push(table)
  }
  for (const { name } of tables) place(name, [])
  return order
}

/** What stayed out, since somebody has its name by now. */
export const readConflicts = async ({ client, schema }: Scratch): Promise<string[]> => {
  const here = quoted(schema)
  const { rows } = await client.query<{ said: string }>(
    `select 'the domain ' || d.name || ': ' || case when exists (
        select from ${quoted('domains')} o where o.name = d.name and o.workspace_id = d.workspace_id)
        then 'it was added again since' else 'another workspace holds it now' end as said, d.name
      from ${here}.domains d where not exists (select from ${quoted('domains')} l where l.id = d.id)
    union all select 'the mailbox ' || b.email || ': ' || case when exists (
        select from ${quoted('domains')} l where l.id = b.domain_id)
        then 'its address was taken since' else 'its domain is not here' end, b.email
      from ${here}.mailboxes b where not exists (select from ${quoted('mailboxes')} l where l.id = b.id)
    union all select 'the alias ' || a.email || ': its address was taken since', a.email
      from ${here}.aliases a where not exists (select from ${quoted('aliases')} l where l.id = a.id)
        and exists (select from ${quoted('mailboxes')} l where l.id = a.mailbox_id)
    order by 2`,
  )
  return rows.map(({ said }) => said)
}

/** A workspace of which only invoices were kept opens again. The counts of folders are made anew, since a message may be lost. */
export const finishWorkspace = async (
  { client, schema }: Scratch,
  workspaceId: string,
): Promise<void> => {
  await client.query(
    `update ${quoted('workspaces')} set ended_at = null, ends_at = null, deleted_by = null where id = $1 and ended_at is not null`,
    [workspaceId],
  )
  await client.query(
    `update ${quoted('folders')} f set message_count = (select count(*) from ${quoted('messages')} m where m.folder_id = f.id),
      unread_count = (select count(*) from ${quoted('messages')} m where m.folder_id = f.id and not m.is_read)
    where f.workspace_id = $1 and f.id in (select id from ${quoted(schema)}.folders)`,
    [workspaceId],
  )
}
