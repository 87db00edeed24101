import { type Kysely, sql } from 'kysely'

/** What was deleted waits for its end, and can be restored until then. A workspace with invoices leaves its row behind. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  ...['domains', 'mailboxes', 'workspaces'].map(
    (table) => `alter table ${table} add ends_at timestamptz, add deleted_by text`,
  ),
  'alter table mailboxes add is_deleted_with_domain boolean not null default false',
  'alter table workspaces add ended_at timestamptz',
  'create index domains_ending on domains (ends_at, id) where ends_at is not null',
  'create index domains_deleted on domains (workspace_id, ends_at desc, id desc) where ends_at is not null',
  'create index mailboxes_ending on mailboxes (ends_at, id) where ends_at is not null and not is_deleted_with_domain',
  'create index mailboxes_deleted on mailboxes (workspace_id, ends_at desc, id desc) where ends_at is not null and not is_deleted_with_domain',
  'create index workspaces_ending on workspaces (ends_at) where ends_at is not null and ended_at is null',
]
