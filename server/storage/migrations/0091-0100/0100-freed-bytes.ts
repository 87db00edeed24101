import { type Kysely, sql } from 'kysely'

/**
 * How many bytes removed rows freed in each segment, so that the daily sweep asks only about those of which much was freed
 * (decision 135).
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const TABLES = ['messages', 'tombstones', 'outbox_messages', 'uploads', 'mail_import_chunks']

export const narrows = Object.fromEntries(
  TABLES.flatMap((table) =>
    ['freed', 'moved'].map((when) => [
      `the trigger ${table}_${when} of ${table} is another`,
      'It writes one more column of a table that older programs do not know of, and refuses nothing.',
    ]),
  ),
)

const statements = [
  // Unknown in rows of before.
  'alter table freed_blobs add column bytes bigint',
  'create table freed_segments (place text primary key, bytes bigint not null)',
  // A name tells the segment, the place in it and the number of bytes; that of a file is its hash alone.
  `create or replace function note_freed_blobs() returns trigger language plpgsql as $$
  begin
    insert into freed_blobs (place, bytes)
      select split_part(blob, '.', 1), sum(nullif(split_part(blob, '.', 3), '')::bigint) from removed where blob is not null group by 1;
    return null;
  end $$`,
  `create or replace function note_freed_blob() returns trigger language plpgsql as $$
  begin
    insert into freed_blobs (place, bytes) values (split_part(old.blob, '.', 1), nullif(split_part(old.blob, '.', 3), '')::bigint);
    return null;
  end $$`,
]
