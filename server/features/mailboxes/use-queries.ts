/** Who uses the mailboxes of a workspace, for its first steps. */
import { sql } from 'kysely'
import { userRows } from '#server/features/accounts/user-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type MailboxUse = {
  domainId: string
  /** Active or suspended. */
  mailboxes: number
  /** Of these: with a holder, with a reader besides the maker, or with mail in Sent. */
  inUse: number
  /** Of the others: with a link that can still be used. */
  linksOut: number
  unpaid: number
  /** The first three that receive mail. */
  addresses: string[]
  hasCatchAll: boolean
}

/** One row for each domain with mailboxes. */
export const readMailboxUse = async (
  db: Db,
  workspaceId: string,
  now: Date,
): Promise<MailboxUse[]> => {
  const { rows } = await sql<MailboxUse>`
    select domain_id,
      count(*) filter (where status <> 'inactive')::int as mailboxes,
      count(*) filter (where status = 'inactive')::int as unpaid,
      coalesce((array_agg(email order by email) filter (where status <> 'inactive'))[1:3], '{}') as addresses,
      exists (select from catch_alls c where c.domain_id = mailboxes.domain_id) as has_catch_all,
      count(*) filter (where status <> 'inactive' and is_used)::int as in_use,
      count(*) filter (where status <> 'inactive' and not is_used and exists (
        select from access_links links where links.mailbox_id = mailboxes.id
          and links.ended_at is null and links.expires_at > ${now}))::int as links_out
    from mailboxes cross join lateral (select
        exists (select from ${userRows(db)} held where held.mailbox_id = mailboxes.id)
        or exists (select from mailbox_readers r where r.mailbox_id = mailboxes.id
          and r.origin in ('given', 'taken') and (r.ends_at is null or r.ends_at > ${now}))
        or exists (select from folders where folders.mailbox_id = mailboxes.id
          and folders.role = 'sent' and folders.message_count > 0) as is_used) use
    where workspace_id = ${workspaceId} and ends_at is null group by domain_id`.execute(db)
  return rows
}
