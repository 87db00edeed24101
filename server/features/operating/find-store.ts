import { sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { invoiceRows, numberText } from '#server/features/billing/billing-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { aliasRows, mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type FoundRow = { id: string; title: string; detail: string }

export type Wanted = {
  /** For `ilike`. */
  pattern: string
  /** The same for domains: as A-labels. */
  domainPattern: string
  limit: number
}

/** The shortest title is the nearest to what was typed. */
const nearest = async (
  db: Db,
  { limit }: Wanted,
  found: ReturnType<typeof sql<FoundRow>>,
): Promise<FoundRow[]> => {
  const { rows } = await sql<FoundRow>`
    select id, title, detail from (${found}) found order by length(title), title limit ${limit}`.execute(
    db,
  )
  return rows
}

/** By the kind of what is found. */
export const finders = {
  workspace: (db: Db, wanted: Wanted) =>
    nearest(
      db,
      wanted,
      sql<FoundRow>`select w.id, w.name as title, '' as detail from ${workspaceRows(db)} w
        where w.ended_at is null and w.name ilike ${wanted.pattern}`,
    ),
  domain: (db: Db, wanted: Wanted) =>
    nearest(
      db,
      wanted,
      sql<FoundRow>`select d.workspace_id as id, d.name as title, w.name as detail
        from ${domainRows(db)} d join ${workspaceRows(db)} w on w.id = d.workspace_id
        where d.name ilike ${wanted.domainPattern} and w.ended_at is null`,
    ),
  /** Aliases, too. */
  mailbox: (db: Db, wanted: Wanted) =>
    nearest(
      db,
      wanted,
      sql<FoundRow>`select b.id, b.email as title, w.name as detail
          from ${mailboxRows(db)} b join ${workspaceRows(db)} w on w.id = b.workspace_id where b.email ilike ${wanted.pattern}
          union all
          select b.id, a.email, 'alias of ' || b.email
          from ${aliasRows(db)} a join ${mailboxRows(db)} b
            on b.id = a.mailbox_id and b.workspace_id = a.workspace_id where a.email ilike ${wanted.pattern}`,
    ),
  /** A holder is found by the mailbox. */
  person: (db: Db, wanted: Wanted) =>
    nearest(
      db,
      wanted,
      sql<FoundRow>`select u.id, u.email as title, u.first_name || ' ' || u.last_name as detail from ${userRows(db)} u
        where u.mailbox_id is null and (u.email ilike ${wanted.pattern} or u.first_name || ' ' || u.last_name ilike ${wanted.pattern})`,
    ),
  invoice: (db: Db, wanted: Wanted) =>
    nearest(
      db,
      wanted,
      sql<FoundRow>`select i.id, ${numberText('i')} as title, w.name as detail
        from ${invoiceRows(db)} i join ${workspaceRows(db)} w on w.id = i.workspace_id
        where ${numberText('i')} ilike ${wanted.pattern}`,
    ),
}
