import { type Kysely, sql } from 'kysely'

/** What the log says of mails, for the search of operators (decision 115). Kept for two weeks. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table mail_log (
    id uuid primary key,
    at timestamptz not null,
    outcome text not null,
    mail_from text not null,
    recipient text not null,
    peer text not null,
    reply text not null,
    times integer not null
  )`,
  // An address that is read from its end begins with its domain.
  'create index mail_log_from on mail_log (reverse(lower(mail_from)) text_pattern_ops)',
  'create index mail_log_recipient on mail_log (reverse(lower(recipient)) text_pattern_ops)',
]
