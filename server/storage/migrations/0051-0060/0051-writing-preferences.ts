import { type Kysely, sql } from 'kysely'

/** How long a person can take a sent letter back (null: as in the installation), and whether their letters begin as plain text. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql
    .raw(`alter table preferences
      add column undo_seconds integer check (undo_seconds in (0, 5, 10, 20, 30)),
      add column writes_plain_text boolean not null default false`)
    .execute(db)
}
