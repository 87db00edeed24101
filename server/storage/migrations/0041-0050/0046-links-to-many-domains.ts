import { type Kysely, sql } from 'kysely'

/** A DNS link opens one domain or several. It goes with the last of them, at the latest when it expires. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table dns_link_domains (
    workspace_id uuid not null,
    link_id uuid not null references dns_links on delete cascade,
    domain_id uuid not null references domains on delete cascade,
    primary key (link_id, domain_id)
  )`,
  'create index dns_link_domains_domain on dns_link_domains (domain_id)',
  `insert into dns_link_domains (workspace_id, link_id, domain_id)
    select workspace_id, id, domain_id from dns_links`,
  'alter table dns_links drop column domain_id',
]
