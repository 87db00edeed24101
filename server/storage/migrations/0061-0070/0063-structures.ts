import { type Kysely, sql } from 'kysely'

/**
 * The structure of each mail: envelope, parts and their places (decision 090). It is in a table of its own, which lists and searches
 * never read, and is written with the mail. `structure_filling` holds how far a loop of the worker has come with the mail that is
 * there, newest first; ids are in the order of time. No row of a message is written here.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Without foreign keys, whose checks every mail would pay for: a trigger removes what belongs to a removed message.
  `create table message_structures (
    mailbox_id uuid not null,
    message_id uuid not null,
    workspace_id uuid not null,
    structure text not null,
    primary key (mailbox_id, message_id)
  )`,
  `create function forget_structures() returns trigger language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  begin
    delete from message_structures s using removed
    where s.mailbox_id = removed.mailbox_id and s.message_id = removed.id;
    return null;
  end $$`,
  `create trigger messages_structures after delete on messages referencing old table as removed
    for each statement execute function forget_structures()`,
  'create table structure_filling (below uuid not null)',
  `insert into structure_filling
    select 'ffffffff-ffff-ffff-ffff-ffffffffffff' where exists (select from messages)`,
]
