/** Which rows of a workspace in a backup are to come back; all others leave the scratch schema (decision 113). */
import { quoted, tablesOf } from '#server/storage/copied-tables.ts'
import type { Scratch } from '#server/storage/scratch-tables.ts'
import { keysOf } from './workspace-rows-store.ts'

/**
 * Leaves in the scratch schema what is to come back. Where the workspace lives on, those are domains and mailboxes that ended, with what
 * hangs on them: who left it since does not come back. @returns what is left out, since another workspace has it
 */
export const keepMissing = async (
  scratch: Scratch,
  workspaceId: string,
  isOpen: boolean,
): Promise<string[]> => {
  await nameAnew(scratch)
  const moved = await leaveOutMoved(scratch, workspaceId)
  if (isOpen) await keepEnded(scratch)
  await takeDeletionsBack(scratch)
  return moved
}

/** Who has an account anew is the same person: the address is proven. */
const nameAnew = async ({ client, schema, living }: Scratch): Promise<void> => {
  const there = quoted(living)
  const { rows: changed } = await client.query<{ was: string; now: string }>(
    `select u.id as was, l.id as now from ${quoted('users')} u join ${there}.users l on l.email = u.email
    where l.id != u.id and l.mailbox_id is null and u.mailbox_id is null and l.verified_at is not null`,
  )
  const naming = (await keysOf(client, living)).filter(({ parent }) => parent === 'users')
  for (const { was, now } of changed)
    for (const { name, columns } of naming)
      for (const column of columns)
        await client.query(
          `update ${quoted(schema)}.${quoted(name)} set ${quoted(column)} = $2 where ${quoted(column)} = $1`,
          [was, now],
        )
}

/** A domain that moved keeps its ids, so its rows would go into the mailboxes of another workspace. @returns what is named to the operator */
const leaveOutMoved = async (
  { client, living }: Scratch,
  workspaceId: string,
): Promise<string[]> => {
  const there = quoted(living)
  const isElsewhere = (table: string, pairs: string) =>
    `exists (select from ${there}.${quoted(table)} p where ${pairs} and p.workspace_id != $1)`
  const ofDomain = isElsewhere('domains', 'p.id = s.domain_id')
  const { rows } = await client.query<{ said: string }>(
    `select 'the domain ' || s.name || ': it is in another workspace now' as said, 1 as part
      from ${quoted('domains')} s where ${isElsewhere('domains', 'p.id = s.id')}
    union all select 'the mailbox ' || s.email || ': it is in another workspace now', 2
      from ${quoted('mailboxes')} s where ${isElsewhere('mailboxes', 'p.id = s.id')}
    union all select 'the mailbox ' || s.email || ': its domain is in another workspace now', 3
      from ${quoted('mailboxes')} s where ${ofDomain} and not ${isElsewhere('mailboxes', 'p.id = s.id')}
    order by 2, 1`,
    [workspaceId],
  )
  const tables = await tablesOf(client)
  const has = (name: string, column: string) =>
    tables.some((table) => table.name === name && table.columns.includes(column))
  const leave = (name: string, table: string, pairs: string) =>
    client.query(`delete from ${quoted(name)} s where ${isElsewhere(table, pairs)}`, [workspaceId])
  for (const { name } of tables) {
    // Who paid for what stays with who paid.
    if (['invoices', 'invoice_lines'].includes(name)) continue
    for (const [column, parent] of Object.entries(PLACES))
      if (has(name, column)) await leave(name, parent, `p.id = s.${column}`)
  }
  for (const { name, columns, parent, parentColumns, emptied } of await keysOf(client, living)) {
    if (emptied.length > 0 || parent === 'workspaces' || !has(parent, 'workspace_id')) continue
    // Where the parent is now: in which workspace is the question.
    const pairs = columns
      .map((column, n) => `p.${quoted(parentColumns[n] ?? '')} = s.${quoted(column)}`)
      .filter((_, n) => columns[n] !== 'workspace_id')
    await leave(name, parent, pairs.join(' and '))
  }
  for (const name of ['domains', 'mailboxes']) await leave(name, name, 'p.id = s.id')
  return rows.map(({ said }) => said)
}

/** What other rows hang on, by the column that names it. */
const PLACES = { domain_id: 'domains', mailbox_id: 'mailboxes', folder_id: 'folders' }

const keepEnded = async ({ client, living }: Scratch): Promise<void> => {
  const there = quoted(living)
  for (const { name, columns } of await tablesOf(client)) {
    if (['domains', 'mailboxes', 'invoices', 'invoice_lines', 'users'].includes(name)) continue
    const isPart = columns.includes('mailbox_id') || columns.includes('domain_id')
    await client.query(
      isPart
        ? `delete from ${quoted(name)} where ${['mailbox_id', 'domain_id']
            .filter((column) => columns.includes(column))
            .map(
              (column) =>
                `${column} in (select id from ${there}.${column === 'mailbox_id' ? 'mailboxes' : 'domains'})`,
            )
            .join(' and ')}`
        : `delete from ${quoted(name)}`,
    )
  }
  // The holder of a mailbox that lives on was ended by somebody.
  await client.query(
    `delete from ${quoted('users')} u where u.mailbox_id is null or u.mailbox_id in (select id from ${there}.mailboxes)`,
  )
  await client.query(
    `delete from ${quoted('mailbox_readers')} r where r.origin != 'holder'
      and not exists (select from ${there}.members m where m.workspace_id = r.workspace_id and m.user_id = r.user_id)`,
  )
}

/** As when somebody takes a deletion back: a backup of the wait would be erased again at once. Nobody has looked at the records meanwhile. */
const takeDeletionsBack = async ({ client }: Scratch): Promise<void> => {
  await client.query(
    `update ${quoted('workspaces')} set ends_at = null, deleted_by = null, ended_at = null`,
  )
  await client.query(
    `update ${quoted('domain_records')} set next_check_at = least(next_check_at, now())
    where purpose = 'ownership' and domain_id in (select id from ${quoted('domains')} where ends_at is not null)`,
  )
  await client.query(
    `update ${quoted('domains')} set ends_at = null, deleted_by = null, deletion_untold_since = null`,
  )
  await client.query(
    `update ${quoted('mailboxes')} set ends_at = null, deleted_by = null, is_deleted_with_domain = false`,
  )
}
