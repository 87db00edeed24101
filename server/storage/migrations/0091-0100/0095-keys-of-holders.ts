import { type Kysely, sql } from 'kysely'

/**
 * Holders of mailboxes have API keys too (decision 120). They are in no workspace, so their keys hang on the account alone; those of
 * members still end with the membership, in the same statement.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table api_keys
    add column of_holder boolean not null default false,
    add column member_id uuid generated always as (case when of_holder then null else user_id end) stored`,
  `alter table api_keys add constraint api_keys_member_fkey
    foreign key (workspace_id, member_id) references members on delete cascade`,
  'alter table api_keys drop constraint api_keys_workspace_id_user_id_fkey',
]
